// Which of the two numbers of "03/04/2025" is the day, where nothing but the habit of the person says so.
import type { DateOrder } from '@rowhouse/contract/date-order.ts';
import { monthNames } from './date-format.ts';
import { SelectField } from '../../ui/select-field.tsx';

/** "03/04/2025" → "3 April", or "4 March". */
const meaning = (example: string, order: DateOrder): string => {
  const [first = 1, second = 1] = (example.match(/\d+/g) ?? []).map(Number);
  return order === 'dayFirst' ? `${first} ${monthNames[second - 1]}` : `${second} ${monthNames[first - 1]}`;
};

export const DateOrderChoice = ({
  example,
  order,
  onChange,
}: {
  example: string;
  order: DateOrder;
  onChange: (order: DateOrder) => void;
}) => (
  <SelectField
    label={`Dates such as ${example} mean`}
    value={order}
    options={(['dayFirst', 'monthFirst'] as const).map((value) => ({
      value,
      label: `${meaning(example, value)} (${value === 'dayFirst' ? 'day first' : 'month first'})`,
    }))}
    onValue={(next) => onChange(next as DateOrder)}
  />
);
