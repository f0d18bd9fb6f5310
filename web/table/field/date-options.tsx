import { SelectField } from '../../ui/select-field.tsx';
import { dateFormattingOf, type DateFormatting } from '../cell/date-format.ts';
import type { OptionsProps } from './number-options.tsx';

const patterns = ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'D MMMM YYYY', 'YYYY/MM/DD', 'DD.MM.YYYY'];

const zones = (own: string): string[] => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set(['UTC', here, own, ...Intl.supportedValuesOf('timeZone')])];
};

export const DateOptions = ({ options, onChange }: OptionsProps) => {
  const formatting = dateFormattingOf(options);
  const set = (change: Partial<DateFormatting>): void => onChange({ ...options, formatting: { ...formatting, ...change } });
  const listed = patterns.includes(formatting.date) ? patterns : [formatting.date, ...patterns];
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField label="Date" value={formatting.date} options={listed.map((value) => ({ value, label: value }))} onValue={(date) => set({ date })} />
      <SelectField
        label="Time"
        value={formatting.time}
        options={[
          { value: 'None', label: 'Without time' },
          { value: 'HH:mm', label: '24 hours' },
          { value: 'hh:mm A', label: '12 hours' },
        ]}
        onValue={(time) => set({ time: time as DateFormatting['time'] })}
      />
      <SelectField label="Time zone" className="col-span-2" value={formatting.timeZone} options={zones(formatting.timeZone).map((value) => ({ value, label: value.replaceAll('_', ' ') }))} onValue={(timeZone) => set({ timeZone })} />
    </div>
  );
};
