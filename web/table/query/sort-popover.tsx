import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { ArrowDownUp, Plus, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { RecordWindow } from '../record-window.ts';
import { ToolbarButton } from '../toolbar-button.tsx';
import { type SortItem, useViewQuery } from './use-view-query.ts';

export interface QueryPopoverProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  window: RecordWindow;
  disabled: boolean;
}

const directions: Partial<Record<Field['cellValueType'], [asc: string, desc: string]>> = {
  string: ['A → Z', 'Z → A'],
  number: ['1 → 9', '9 → 1'],
  dateTime: ['Oldest first', 'Newest first'],
  boolean: ['Unticked first', 'Ticked first'],
};

export const directionsOf = (field: Field | undefined): [asc: string, desc: string] => (field === undefined ? undefined : directions[field.cellValueType]) ?? ['Ascending', 'Descending'];

export const SortPopover = ({ tableId, view, fields, window, disabled }: QueryPopoverProps) => {
  const { setSort } = useViewQuery(tableId, view, window);
  const items: readonly SortItem[] = view.sort?.sortObjs ?? [];
  const free = fields.filter((field) => !items.some((item) => item.fieldId === field.id));
  const change = (index: number, part: Partial<SortItem>): void => void setSort(items.map((item, place) => (place === index ? { ...item, ...part } : item)));

  return (
    <Popover label="Sort" align="end" trigger={<ToolbarButton icon={<ArrowDownUp size={16} aria-hidden />} label={items.length === 0 ? 'Sort' : `Sorted by ${items.length}`} active={items.length > 0} disabled={disabled} />}>
      <div className="flex w-80 max-w-full flex-col gap-2">
        {items.length === 0 && <p className="text-ink-soft">Records stand in the order they were made. Add a field to sort by.</p>}
        {items.map((item, index) => {
          const field = fields.find(({ id }) => id === item.fieldId);
          const [asc, desc] = directionsOf(field);
          return (
            <div key={item.fieldId} className="flex items-center gap-2">
              <SelectField label={`Sort field ${index + 1}`} hideLabel className="min-w-0 flex-1" value={item.fieldId} options={[...(field === undefined ? [] : [field]), ...free].map(({ id, name }) => ({ value: id, label: name }))} onValue={(fieldId) => change(index, { fieldId })} />
              <SelectField
                label={`Direction ${index + 1}`}
                hideLabel
                className="w-32 shrink-0"
                value={item.order}
                options={[
                  { value: 'asc', label: asc },
                  { value: 'desc', label: desc },
                ]}
                onValue={(order) => change(index, { order: order as SortItem['order'] })}
              />
              <IconButton label={`Do not sort by ${field?.name ?? 'this'}`} onClick={() => void setSort(items.filter((_item, place) => place !== index))}>
                <X size={16} />
              </IconButton>
            </div>
          );
        })}
        <Button size="small" className="self-start" icon={<Plus size={15} />} disabled={free[0] === undefined} onClick={() => free[0] !== undefined && void setSort([...items, { fieldId: free[0].id, order: 'asc' }])}>
          Add a field
        </Button>
      </div>
    </Popover>
  );
};
