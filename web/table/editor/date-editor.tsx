import { useState } from 'react';
import { dateFormattingOf, fromInput, toInput } from '../cell/date-format.ts';
import type { EditorProps } from './editor-props.ts';

export const DateEditor = ({ field, value, label, id, className, autoFocus, onChange }: EditorProps) => {
  const formatting = dateFormattingOf(field.options);
  const [text, setText] = useState(typeof value === 'string' ? toInput(value, formatting) : '');
  return (
    <input
      id={id}
      type={formatting.time === 'None' ? 'date' : 'datetime-local'}
      aria-label={label}
      autoFocus={autoFocus === true}
      max={formatting.time === 'None' ? '9999-12-31' : '9999-12-31T23:59'}
      className={className ?? 'w-full bg-transparent text-ink outline-none'}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        onChange(event.target.value === '' ? null : fromInput(event.target.value, formatting));
      }}
    />
  );
};
