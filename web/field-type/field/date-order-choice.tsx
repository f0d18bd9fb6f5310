// Which of the two numbers of "03/04/2025" is the day, where nothing but the habit of the person says so.
import type { DateOrder } from '@rowhouse/contract/date-order.ts';
import { SelectField } from '../../ui/select-field.tsx';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** "03/04/2025" → "3 April", or "4 March". */
const meaning = (example: string, order: DateOrder): string => {
  const [first = 1, second = 1] = (example.match(/\d+/g) ?? []).map(Number);
  return order === 'dayFirst' ? `${first} ${months[second - 1]}` : `${second} ${months[first - 1]}`;
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
