import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { CalendarOff, ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { fieldOption } from '../../field-type/field-types.ts';
import { useColumnActions } from '../grid/use-column-actions.ts';
import { type CalendarFields, dateFields } from './calendar-fields.ts';
import { type Span, spanName, spans, stepped } from './spans.ts';

interface CalendarBarProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  chosen: CalendarFields;
  span: Span;
  /** Of what is shown. */
  day: string;
  today: string;
  /** There may be more than is shown. */
  isFull: boolean;
  canChange: boolean;
  hasUndated: boolean;
  onSpan: (span: Span) => void;
  onDay: (day: string) => void;
  onUndated: () => void;
}

export const CalendarBar = ({
  tableId,
  view,
  fields,
  chosen,
  span,
  day,
  today,
  isFull,
  canChange,
  hasUndated,
  onSpan,
  onDay,
  onUndated,
}: CalendarBarProps) => {
  const { setOptions } = useColumnActions(tableId, view, []);
  const dates = dateFields(fields).map(fieldOption);
  const step = (count: number): void => onDay(stepped(span, day, count));
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1.5 bg-surface px-3 py-2">
      <Button size="small" onClick={() => onDay(today)}>
        Today
      </Button>
      <IconButton label={`Previous ${span}`} className="print:hidden" onClick={() => step(-1)}>
        <ChevronLeft size={17} />
      </IconButton>
      <IconButton label={`Next ${span}`} className="print:hidden" onClick={() => step(1)}>
        <ChevronRight size={17} />
      </IconButton>
      <h2 aria-live="polite" className="min-w-36 text-[16px] font-semibold">
        {spanName(span, day)}
      </h2>
      {isFull && <span className="text-[13px] text-warn">Only the first 1,000 records are shown.</span>}
      <span className="flex-1" />
      <Choice label="Shown" value={span} options={spans} onValue={(next) => onSpan(next as Span)} />
      <SelectField
        label="Date"
        hideLabel
        className="w-36 print:hidden"
        disabled={!canChange}
        value={chosen.start.id}
        options={dates}
        onValue={(startDateFieldId) => setOptions({ startDateFieldId })}
      />
      <SelectField
        label="End"
        hideLabel
        className="w-40 print:hidden"
        disabled={!canChange || dates.length < 2}
        value={chosen.end?.id ?? ''}
        options={[
          { value: '', label: 'No end date' },
          ...dates
            .filter(({ value }) => value !== chosen.start.id)
            .map((option) => ({ ...option, label: `until ${option.label}` })),
        ]}
        onValue={(id) => setOptions({ endDateFieldId: id === '' ? null : id })}
      />
      <Button
        size="small"
        look="ghost"
        aria-pressed={hasUndated}
        className={hasUndated ? 'bg-accent-soft! text-accent!' : 'print:hidden'}
        icon={<CalendarOff size={15} />}
        onClick={onUndated}
      >
        No date
      </Button>
    </div>
  );
};
