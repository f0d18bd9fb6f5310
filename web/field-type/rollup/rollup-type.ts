import { SquareSigma } from 'lucide-react';
import type { FieldTypeEntry } from '../field-type.ts';
import { resultCells } from '../formula/formula-type.ts';

export const rollup: FieldTypeEntry = {
  label: 'Rollup',
  meaning: 'One value of other records',
  icon: SquareSigma,
  ...resultCells,
};

/** In the dialog it is a rollup whose records a condition finds. */
export const conditionalRollup: FieldTypeEntry = {
  ...rollup,
  label: 'Conditional rollup',
  meaning: 'One value of records that a condition finds',
  isHidden: true,
};
