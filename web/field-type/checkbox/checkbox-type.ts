import { readYesNo } from '@rowhouse/contract/yes-no.ts';
import { SquareCheck } from 'lucide-react';
import { type FieldTypeEntry, fits, refuse } from '../field-type.ts';

const truths: readonly string[] = ['true', '1', 'yes'];

export const checkbox: FieldTypeEntry = {
  label: 'Checkbox',
  meaning: 'Yes or no',
  icon: SquareCheck,
  text: (_field, value) => (value === true ? 'true' : ''),
  show: (_field, value) => ({ as: 'tick', isTicked: value === true }),
  read: (_field, text) => {
    const answer = readYesNo(text);
    return answer === undefined ? refuse(text, 'is neither yes nor no.') : fits(answer ? true : null);
  },
  valueKind: 'checkbox',
  readAddress: (_field, text) => (truths.includes(text.toLowerCase()) ? true : undefined),
  defaultIsCell: true,
  example: () => true,
};
