import { Eye } from 'lucide-react';
import type { FieldTypeEntry } from '../field-type.ts';
import { textCells } from '../single-line-text/single-line-text-type.ts';

/** Its cells are of the type that it shows: nothing is asked of it but what it is. */
export const lookup: FieldTypeEntry = {
  label: 'Lookup',
  meaning: 'Cells of other records',
  icon: Eye,
  text: textCells.text,
};
