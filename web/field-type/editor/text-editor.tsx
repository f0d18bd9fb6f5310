import { longestText } from '@rowhouse/contract/field.ts';
import { useEffect, useState } from 'react';
import { cellText } from '../../record-data/cell/cell-text.ts';
import type { EditorProps } from './editor-props.ts';

const bare = 'w-full bg-transparent text-ink outline-none';

export const TextEditor = ({ field, value, initialText, label, id, className, autoFocus, onChange }: EditorProps) => {
  const [text, setText] = useState(initialText ?? cellText(field, value));
  const change = (next: string): void => {
    setText(next);
    onChange(next === '' ? null : next);
  };
  // The key that opened the editor counts even when no other follows.
  useEffect(() => {
    if (initialText !== undefined) change(initialText);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const shared = {
    id,
    value: text,
    'aria-label': label,
    autoFocus: autoFocus === true,
    maxLength: field.type === 'longText' ? longestText.longText : longestText.singleLineText,
  };
  if (field.type === 'longText') {
    return (
      <textarea
        {...shared}
        rows={Math.min(12, Math.max(4, text.split('\n').length + 1))}
        className={className ?? `${bare} resize-none`}
        onChange={(event) => change(event.target.value)}
        onFocus={(event) => event.target.setSelectionRange(text.length, text.length)}
      />
    );
  }
  return <input {...shared} className={className ?? bare} onChange={(event) => change(event.target.value)} />;
};
