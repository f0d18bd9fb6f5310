import { longestText } from '@rowhouse/contract/field.ts';
import { useEffect, useState } from 'react';
import { cellText } from '../cell-text.ts';
import type { EditorProps } from './editor-props.ts';

const bare = 'w-full bg-transparent text-ink outline-none';

const useText = ({ field, value, initialText, label, id, autoFocus, onChange }: EditorProps, maxLength: number) => {
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
  return { change, shared: { id, value: text, 'aria-label': label, autoFocus: autoFocus === true, maxLength } };
};

export const LineEditor = (props: EditorProps) => {
  const { change, shared } = useText(props, longestText.singleLineText);
  return <input {...shared} className={props.className ?? bare} onChange={(event) => change(event.target.value)} />;
};

export const LinesEditor = (props: EditorProps) => {
  const { change, shared } = useText(props, longestText.longText);
  const { length } = shared.value;
  return (
    <textarea
      {...shared}
      rows={Math.min(12, Math.max(4, shared.value.split('\n').length + 1))}
      className={props.className === undefined ? `${bare} resize-none` : `${props.className} !h-auto py-2`}
      onChange={(event) => change(event.target.value)}
      onFocus={(event) => event.target.setSelectionRange(length, length)}
    />
  );
};
