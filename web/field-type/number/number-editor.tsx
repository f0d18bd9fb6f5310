import { useEffect, useState } from 'react';
import { editNumber, numberFormattingOf } from './number-format.ts';
import { isUnparsed } from '../cell/cell-parts.ts';
import type { CellEditing, EditorProps } from '../editor/editor-props.ts';

/** Gives the text as it was typed; anyone who takes it decides whether it is a number. */
const NumberEditor = ({ field, value, initialText, label, id, className, autoFocus, onChange }: EditorProps) => {
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

export const numberEditing: CellEditing = { Editor: NumberEditor, frame: 'line' };
