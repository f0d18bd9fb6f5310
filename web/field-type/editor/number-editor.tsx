import { useEffect, useState } from 'react';
import { editNumber, numberFormattingOf } from '../../record-data/cell/number-format.ts';
import { isUnparsed } from '../../record-data/cell/cell-text.ts';
import type { EditorProps } from './editor-props.ts';

/** Gives the text as it was typed; anyone who takes it decides whether it is a number. */
export const NumberEditor = ({ field, value, initialText, label, id, className, autoFocus, onChange }: EditorProps) => {
  const formatting = numberFormattingOf(field.options);
  const [text, setText] = useState(
    initialText ??
      (isUnparsed(value) ? value.unparsed : typeof value === 'number' ? editNumber(value, formatting) : ''),
  );
  // The key that opened the editor counts even when no other follows.
  useEffect(() => {
    if (initialText !== undefined) onChange({ unparsed: initialText });
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <input
      id={id}
      inputMode="decimal"
      aria-label={label}
      autoFocus={autoFocus === true}
      className={className ?? 'w-full bg-transparent text-right text-ink tabular-nums outline-none'}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        onChange({ unparsed: event.target.value });
      }}
    />
  );
};
