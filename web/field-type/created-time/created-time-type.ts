import { CalendarClock } from 'lucide-react';
import { dateCells } from '../date/date-type.ts';
import type { FieldTypeEntry } from '../field-type.ts';

export const createdTime: FieldTypeEntry = {
  label: 'Created time',
  meaning: 'When the record was created',
  icon: CalendarClock,
  ...dateCells,
};
