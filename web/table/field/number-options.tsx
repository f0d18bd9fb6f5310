import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { formatNumber, numberFormattingOf, type NumberFormatting } from '../cell/number-format.ts';

export interface OptionsProps {
  options: Record<string, unknown>;
  onChange: (options: Record<string, unknown>) => void;
}

export const NumberOptions = ({ options, onChange }: OptionsProps) => {
  const formatting = numberFormattingOf(options);
  const set = (change: Partial<NumberFormatting>): void => {
    const { type, precision, symbol } = { ...formatting, ...change };
    onChange({ ...options, formatting: { type, precision, ...(type === 'currency' ? { symbol: symbol ?? '$' } : {}) } });
  };
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField
        label="Format"
        value={formatting.type}
        options={[
          { value: 'decimal', label: 'Decimal' },
          { value: 'percent', label: 'Percent' },
          { value: 'currency', label: 'Currency' },
        ]}
        onValue={(type) => set({ type: type as NumberFormatting['type'] })}
      />
      <SelectField
        label="Decimals"
        value={String(formatting.precision)}
        options={[0, 1, 2, 3, 4, 5].map((precision) => ({ value: String(precision), label: formatNumber(formatting.type === 'percent' ? 0.125 : 12.5, { ...formatting, precision }) }))}
        onValue={(precision) => set({ precision: Number(precision) })}
      />
      {formatting.type === 'currency' && <TextField label="Symbol" maxLength={10} value={formatting.symbol ?? '$'} onChange={(event) => set({ symbol: event.target.value })} />}
    </div>
  );
};
