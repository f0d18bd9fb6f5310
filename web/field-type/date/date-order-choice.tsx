// Which of the two numbers of "03/04/2025" is the day, where nothing but the habit of the person says so.
import { type DateOrder, orderOfFormat } from '@rowhouse/contract/date-order.ts';
import { dateFormattingOf, monthNames } from './date-format.ts';
import { SelectField } from '../../ui/select-field.tsx';

/** "03/04/2025" → "3 April", or "4 March". */
const meaning = (example: string, order: DateOrder): string => {
  const [first = 1, second = 1] = (example.match(/\d+/g) ?? []).map(Number);
  return order === 'dayFirst' ? `${first} ${monthNames[second - 1]}` : `${second} ${monthNames[first - 1]}`;
};

/** Whether such a text can be two dates in a field: not where its format says which number comes first. */
export const isUndecided = ({ type, options = {} }: { type: string; options?: Record<string, unknown> }): boolean =>
  type === 'date' && orderOfFormat(dateFormattingOf(options).date) === undefined;

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
