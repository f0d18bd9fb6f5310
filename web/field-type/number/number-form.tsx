import { useState } from 'react';
import { TextField } from '../../ui/text-field.tsx';
import type { DefaultProps, FieldForm, FormProps } from '../option/field-form.ts';
import { ShowAs } from '../option/show-as.tsx';
import { editNumber, numberFormattingOf, parseNumber } from './number-format.ts';
import { NumberOptions } from './number-options.tsx';

const NumberDefault = ({ label, options, given, set }: DefaultProps) => {
  const formatting = numberFormattingOf(options);
  const [text, setText] = useState(typeof given === 'number' ? editNumber(given, formatting) : '');
  return (
    <TextField
      label={label}
      placeholder="None"
      inputMode="decimal"
      value={text}
      error={parseNumber(text, formatting) === undefined ? 'Enter a number' : undefined}
      onChange={(event) => {
        setText(event.target.value);
        const next = parseNumber(event.target.value, formatting);
        if (next !== undefined) set(next);
      }}
    />
  );
};

const Options = ({ options, onChange }: FormProps) => (
  <>
    <NumberOptions options={options} onChange={onChange} />
    <ShowAs kind="number" options={options} onChange={onChange} />
  </>
);

export const numberForm: FieldForm = { Options, Default: NumberDefault, canBeUnique: true, canBeRequired: true };
