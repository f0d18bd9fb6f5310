import { CalendarRange } from 'lucide-react';
import type { ViewTypeEntry } from '../view-type.ts';
import { CalendarView } from './calendar-view.tsx';

export const calendar: ViewTypeEntry = {
  label: 'Calendar',
  meaning: 'Records on their days',
  icon: CalendarRange,
  begin: (fields) => {
    const date =
      fields.find((field) => field.type === 'date') ?? fields.find((field) => field.cellValueType === 'dateTime');
    return date === undefined ? {} : { options: { startDateFieldId: date.id } };
  },
  View: CalendarView,
  tools: ['filter', 'colors'],
  search: 'cards',
  addsRecords: true,
  downloads: ['ics'],
  print: () => window.print(),
};
