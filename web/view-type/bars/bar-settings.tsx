// Which fields bars are made of, and which days count.
import type { Field } from '@rowhouse/contract/field.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { ChartNoAxesGantt } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { fieldOption } from '../../field-type/field-types.ts';
import { weekdayNames } from '../../field-type/date/month.ts';
import { classNames } from '../../ui/class-names.ts';
import { Popover } from '../../ui/popover.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { ToolbarButton } from '../../ui/toolbar-button.tsx';
import { useColumnActions } from '../grid/use-column-actions.ts';
import type { ToolProps } from '../view-type.ts';
import { holidaysOf, lostIn, singleDates, singleNumbers, workingDaysOf } from './bar-fields.ts';

const optionIn = ({ options }: View, key: string): string => (typeof options[key] === 'string' ? options[key] : '');

/** A field, or none. */
export const FieldChoice = ({
  label,
  none,
  view,
  option,
  among,
  disabled,
  onOptions,
}: {
  label: string;
  none: string;
  view: View;
  option: string;
  among: readonly Field[];
  disabled: boolean;
  onOptions: (options: Record<string, unknown>) => void;
}) => (
  <SelectField
    label={label}
    value={optionIn(view, option)}
    disabled={disabled}
    options={[{ value: '', label: none }, ...among.map(fieldOption)]}
    onValue={(id) => onOptions({ [option]: id === '' ? null : id })}
  />
);

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

const Holidays = ({
  view,
  disabled,
  onOptions,
}: {
  view: View;
  disabled: boolean;
  onOptions: (options: Record<string, unknown>) => void;
}) => {
  const [text, setText] = useState(() => holidaysOf(view).join('\n'));
  const days = text.split(/[\s,;]+/).filter((part) => part !== '');
  const wrong = days.find((day) => !isDay(day));
  return (
    <TextAreaField
      label="Days off"
      rows={2}
      disabled={disabled}
      placeholder="2026-12-25"
      value={text}
      error={wrong === undefined ? undefined : `“${wrong}” is not a day. Write days such as 2026-12-25, one in a line.`}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => wrong === undefined && days.join() !== holidaysOf(view).join() && onOptions({ holidays: days })}
    />
  );
};

const WorkingDays = ({
  view,
  disabled,
  onOptions,
}: {
  view: View;
  disabled: boolean;
  onOptions: (options: Record<string, unknown>) => void;
}) => {
  const chosen = workingDaysOf(view);
  const [short, long] = [weekdayNames('short'), weekdayNames('long')];
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1 text-[13px] font-medium text-ink-soft">Working days</legend>
      <div className="flex gap-1">
        {short.map((name, index) => {
          const weekday = index + 1;
          const works = chosen.length === 0 || chosen.includes(weekday);
          const others = (chosen.length === 0 ? [1, 2, 3, 4, 5, 6, 7] : chosen).filter((one) => one !== weekday);
          return (
            <button
              key={name}
              type="button"
              aria-pressed={works}
              aria-label={long[index]}
              title={long[index]}
              onClick={() => onOptions({ workingDays: works ? others : [...others, weekday].toSorted() })}
              className={classNames(
                'h-8 flex-1 rounded-md border text-[12px] disabled:opacity-60',
                works ? 'border-accent bg-accent-soft text-accent' : 'border-line text-ink-faint',
              )}
            >
              {name.slice(0, 2)}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
};

export const BarSettings = ({
  tableId,
  view,
  fields,
  disabled,
  children,
}: ToolProps & { children?: (onOptions: (options: Record<string, unknown>) => void) => ReactNode }) => {
  const { setOptions } = useColumnActions(tableId, view, []);
  const dates = singleDates(fields);
  const start = optionIn(view, 'startDateFieldId');
  const numbers = singleNumbers(fields).map((field) => ({
    ...fieldOption(field),
    value: `days ${field.id}`,
    label: `${field.name} (days)`,
  }));
  const duration = optionIn(view, 'durationFieldId');
  const ends = optionIn(view, 'endDateFieldId') || (duration === '' ? '' : `days ${duration}`);
  const isLost = lostIn(view).length > 0;
  return (
    <Popover
      label="Bars"
      trigger={<ToolbarButton icon={<ChartNoAxesGantt size={16} aria-hidden />} label="Bars" active={isLost} />}
    >
      <div className="flex w-72 max-w-full flex-col gap-3">
        <SelectField
          label="Begins"
          value={start}
          disabled={disabled}
          placeholder="Choose a date field"
          options={dates.map(fieldOption)}
          onValue={(startDateFieldId) => setOptions({ startDateFieldId })}
        />
        <SelectField
          label="Ends"
          value={ends}
          disabled={disabled}
          options={[
            { value: '', label: 'The same day' },
            ...dates.filter(({ id }) => id !== start).map(fieldOption),
            ...numbers,
          ]}
          onValue={(value) =>
            setOptions(
              value.startsWith('days ')
                ? { endDateFieldId: null, durationFieldId: value.slice(5) }
                : { endDateFieldId: value === '' ? null : value, durationFieldId: null },
            )
          }
        />
        <FieldChoice
          label="Lanes"
          none="No lanes"
          view={view}
          option="laneFieldId"
          among={fields.filter((field) => !['file', 'button'].includes(kindOf(field)))}
          disabled={disabled}
          onOptions={setOptions}
        />
        {children?.(setOptions)}
        <WorkingDays view={view} disabled={disabled} onOptions={setOptions} />
        <Holidays view={view} disabled={disabled} onOptions={setOptions} />
      </div>
    </Popover>
  );
};
