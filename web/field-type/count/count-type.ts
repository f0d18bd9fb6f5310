import { Tally5 } from 'lucide-react';
import type { FieldTypeEntry } from '../field-type.ts';
import { resultCells } from '../formula/formula-type.ts';

export const count: FieldTypeEntry = {
  label: 'Count',
  meaning: 'How many records are linked',
  icon: Tally5,
  ...resultCells,
};
