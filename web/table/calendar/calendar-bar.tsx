import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useColumnActions } from '../use-column-actions.ts';
import { type CalendarFields, dateFields } from './calendar-fields.ts';
import { addMonths, monthName } from './month.ts';

export interface CalendarBarProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  chosen: CalendarFields;
  month: string;
  today: string;
  /** There may be more than is shown. */
  isFull: boolean;
  canChange: boolean;
  onMonth: (month: string) => void;
}

export const CalendarBar = ({ tableId, view, fields, chosen, month, today, isFull, canChange, onMonth }: CalendarBarProps) => {
  const { setOptions } = useColumnActions(tableId, view, []);
  const dates = dateFields(fields).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 bg-surface px-3 py-2">
      <IconButton label="Previous month" onClick={() => onMonth(addMonths(month, -1))}>
        <ChevronLeft size={17} />
      </IconButton>
      <h2 aria-live="polite" className="min-w-36 text-center text-[15px] font-semibold">
        {monthName(month)}
      </h2>
      <IconButton label="Next month" onClick={() => onMonth(addMonths(month, 1))}>
        <ChevronRight size={17} />
      </IconButton>
      <Button size="small" onClick={() => onMonth(today.slice(0, 7))}>
        Today
      </Button>
      {isFull && <span className="text-[13px] text-warn">Only the first 1,000 records of this month are shown.</span>}
      <span className="flex-1" />
      <SelectField label="Date" hideLabel className="w-36" disabled={!canChange} value={chosen.start.id} options={dates} onValue={(startDateFieldId) => setOptions({ startDateFieldId })} />
      <SelectField
        label="End"
        hideLabel
        className="w-40"
        disabled={!canChange || dates.length < 2}
        value={chosen.end?.id ?? ''}
        options={[{ value: '', label: 'One day each' }, ...dates.filter(({ value }) => value !== chosen.start.id).map(({ value, label }) => ({ value, label: `until ${label}` }))]}
        onValue={(id) => setOptions({ endDateFieldId: id === '' ? null : id })}
      />
    </div>
  );
};
