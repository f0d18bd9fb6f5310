import { History } from 'lucide-react';
import { dateCells } from '../date/date-type.ts';
import type { FieldTypeEntry } from '../field-type.ts';

export const lastModifiedTime: FieldTypeEntry = {
  label: 'Last modified time',
  meaning: 'When it was last changed',
  icon: History,
  ...dateCells,
};
