import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { ArrowDownUp } from 'lucide-react';
import { Popover } from '../../ui/popover.tsx';
import type { RecordWindow } from '../record-window.ts';
import { ToolbarButton } from '../toolbar-button.tsx';
import { OrderedFields } from './ordered-fields.tsx';
import { type SortItem, useViewQuery } from './use-view-query.ts';

export interface QueryPopoverProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  window: RecordWindow;
  disabled: boolean;
}

export const SortPopover = ({ tableId, view, fields, window, disabled }: QueryPopoverProps) => {
  const { setSort } = useViewQuery(tableId, view, window);
  const items: readonly SortItem[] = view.sort?.sortObjs ?? [];
  return (
    <Popover label="Sort" align="end" trigger={<ToolbarButton icon={<ArrowDownUp size={16} aria-hidden />} label={items.length === 0 ? 'Sort' : `Sorted by ${items.length}`} active={items.length > 0} disabled={disabled} />}>
      <OrderedFields
        fields={fields}
        items={items}
        explanation="Records stand in the order they were made. Add a field to sort by."
        words={{ field: 'Sort field', direction: 'Direction', remove: 'Do not sort by', add: 'Add a field' }}
        choose={(free) => free[0]}
        onChange={(changed) => void setSort(changed)}
      />
    </Popover>
  );
};
