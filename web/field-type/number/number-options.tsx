import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { formatNumber, numberFormattingOf, type NumberFormatting } from './number-format.ts';
import type { OptionsProps } from '../option/field-form.ts';

const names: Record<NumberFormatting['type'], string> = { decimal: 'Number', percent: 'Percent', currency: 'Currency' };

/** A number that shows what a format does. */
const exampleOf = ({ type }: Pick<NumberFormatting, 'type'>): number => (type === 'percent' ? 0.125 : 1_234.5);

export const NumberOptions = ({ options, onChange }: OptionsProps) => {
  const formatting = numberFormattingOf(options);
  const set = (change: Partial<NumberFormatting>): void => {
    const { type, precision, symbol } = { ...formatting, ...change };
    onChange({
      ...options,
      formatting: { type, precision, ...(type === 'currency' ? { symbol: symbol ?? '$' } : {}) },
    });
  };
  const shown = (change: Partial<NumberFormatting>): string =>
    formatNumber(exampleOf({ ...formatting, ...change }), { ...formatting, ...change });
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField
        label="Format"
        value={formatting.type}
        options={(Object.keys(names) as NumberFormatting['type'][]).map((type) => ({
          value: type,
          label: names[type],
          note: shown({ type }),
        }))}
        onValue={(type) => set({ type: type as NumberFormatting['type'] })}
      />
      <SelectField
        label="Decimals"
        value={String(formatting.precision)}
        options={[0, 1, 2, 3, 4, 5].map((precision) => ({ value: String(precision), label: shown({ precision }) }))}
        onValue={(precision) => set({ precision: Number(precision) })}
      />
      {formatting.type === 'currency' && (
        <TextField
          label="Symbol"
          maxLength={10}
          value={formatting.symbol ?? '$'}
          onChange={(event) => set({ symbol: event.target.value })}
        />
      )}
    </div>
  );
};
