import { useMemo } from 'react';
import type { Option } from '../../ui/option-list.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { dateFormattingOf, type DateFormatting, formatDate } from './date-format.ts';
import type { OptionsProps } from '../option/field-form.ts';

const patterns = ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'D MMMM YYYY', 'YYYY/MM/DD', 'DD.MM.YYYY'];

/** `UTC+01:00`, as it is now. */
const offsetOf = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC') ?? '';

const zoneOptions = (own: string): Option[] => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set(['UTC', here, own, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: `${value.replaceAll('_', ' ')}${value === here ? ' (here)' : ''}`,
    note: offsetOf(value),
  }));
};

export const DateOptions = ({ options, onChange }: OptionsProps) => {
  const formatting = dateFormattingOf(options);
  const set = (change: Partial<DateFormatting>): void =>
    onChange({ ...options, formatting: { ...formatting, ...change } });
  const listed = patterns.includes(formatting.date) ? patterns : [formatting.date, ...patterns];
  const zones = useMemo(() => zoneOptions(formatting.timeZone), [formatting.timeZone]);
  const now = new Date().toISOString();
  const shown = (change: Partial<DateFormatting>): string => formatDate(now, { ...formatting, ...change });
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField
        label="Date"
        value={formatting.date}
        options={listed.map((date) => ({ value: date, label: shown({ date, time: 'None' }), note: date }))}
        onValue={(date) => set({ date })}
      />
      <SelectField
        label="Time"
        value={formatting.time}
        options={[
          { value: 'None', label: 'No time' },
          { value: 'HH:mm', label: '24-hour', note: '17:30' },
          { value: 'hh:mm A', label: '12-hour', note: '05:30 PM' },
        ]}
        onValue={(time) => set({ time: time as DateFormatting['time'] })}
      />
      <SelectField
        label="Time zone"
        className="col-span-2"
        value={formatting.timeZone}
        options={zones}
        onValue={(timeZone) => set({ timeZone })}
      />
    </div>
  );
};
