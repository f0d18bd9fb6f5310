// What a button says of itself, wherever it is shown.
import { type ButtonOptions, countOf } from '@rowhouse/contract/button.ts';
import type { CellField } from '../field-type.ts';

export const buttonOptions = ({ options }: Pick<CellField, 'options'>): ButtonOptions =>
  options as unknown as ButtonOptions;

export const pressWords = (value: unknown): string => {
  const count = countOf(value);
  return count === 0 ? 'Not pressed' : count === 1 ? 'Pressed once' : `Pressed ${count.toLocaleString('en')} times`;
};
