import { useState } from 'react';
import { TextField } from '../../ui/text-field.tsx';
import type { DefaultProps, FieldForm, FormProps } from '../option/field-form.ts';
import { ShowAs } from '../option/show-as.tsx';

const TextDefault = ({ label, given, set }: DefaultProps) => {
  const [text, setText] = useState(typeof given === 'string' ? given : '');
  return (
    <TextField
      label={label}
      placeholder="None"
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        set(event.target.value);
      }}
    />
  );
};

export const longTextForm: FieldForm = { Default: TextDefault, canBeUnique: true, canBeRequired: true };

export const singleLineTextForm: FieldForm = {
  ...longTextForm,
  Options: ({ options, onChange }: FormProps) => <ShowAs kind="string" options={options} onChange={onChange} />,
};
