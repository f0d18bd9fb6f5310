import type { Field } from '@rowhouse/contract/field.ts';
import { Plus, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { fieldOption } from '../../field-type/field-types.ts';
import type { SortItem } from '../../record-data/own-query.ts';

const directions: Partial<Record<Field['cellValueType'], [asc: string, desc: string]>> = {
  string: ['A to Z', 'Z to A'],
  number: ['Low to high', 'High to low'],
  dateTime: ['Oldest first', 'Newest first'],
  boolean: ['Not checked first', 'Checked first'],
};

const directionsOf = (field: Field | undefined): [asc: string, desc: string] =>
  (field === undefined ? undefined : directions[field.cellValueType]) ?? ['Ascending', 'Descending'];

interface OrderedFieldsProps {
  fields: readonly Field[];
  items: readonly SortItem[];
  /** What is said while there are none. */
  explanation: string;
  words: { field: string; direction: string; remove: string; add: string };
  /** Which of the fields that are left an added item begins with. */
  choose: (free: readonly Field[]) => Field | undefined;
  most?: number;
  onChange: (items: SortItem[]) => void;
}

/** Fields in their order, each with its direction: what a view is sorted or grouped by. */
export const OrderedFields = ({
  fields,
  items,
  explanation,
  words,
  choose,
  most = Number.POSITIVE_INFINITY,
  onChange,
}: OrderedFieldsProps) => {
  const free = fields.filter((field) => !items.some((item) => item.fieldId === field.id));
  const next = items.length >= most ? undefined : choose(free);
  const change = (index: number, part: Partial<SortItem>): void =>
    onChange(items.map((item, place) => (place === index ? { ...item, ...part } : item)));
  return (
    <div className="flex w-80 max-w-full flex-col gap-2">
      {items.length === 0 && <p className="text-ink-soft">{explanation}</p>}
      {items.map((item, index) => {
        const field = fields.find(({ id }) => id === item.fieldId);
        const [asc, desc] = directionsOf(field);
        return (
          // By place: when another field is picked, the focus stays.
          <div key={index} className="flex items-center gap-2">
            <SelectField
              label={`${words.field} ${index + 1}`}
              hideLabel
              className="min-w-0 flex-1"
              value={item.fieldId}
              options={[...(field === undefined ? [] : [field]), ...free].map(fieldOption)}
              onValue={(fieldId) => change(index, { fieldId })}
            />
            <SelectField
              label={`${words.direction} ${index + 1}`}
              hideLabel
              className="w-32 shrink-0"
              value={item.order}
              options={[
                { value: 'asc', label: asc },
                { value: 'desc', label: desc },
              ]}
              onValue={(order) => change(index, { order: order as SortItem['order'] })}
            />
            <IconButton
              label={`${words.remove} ${field?.name ?? 'this'}`}
              onClick={() => onChange(items.filter((_item, place) => place !== index))}
            >
              <X size={16} />
            </IconButton>
          </div>
        );
      })}
      <Button
        size="small"
        className="self-start"
        icon={<Plus size={15} />}
        disabled={next === undefined}
        onClick={() => next !== undefined && onChange([...items, { fieldId: next.id, order: 'asc' }])}
      >
        {words.add}
      </Button>
    </div>
  );
};
