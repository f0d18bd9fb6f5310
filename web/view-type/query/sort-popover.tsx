import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { ArrowDownUp } from 'lucide-react';
import { Popover } from '../../ui/popover.tsx';
import { ToolbarButton } from '../../ui/toolbar-button.tsx';
import { OrderedFields } from './ordered-fields.tsx';
import type { SortItem } from '../../record-data/own-query.ts';
import type { ViewQuery } from './use-view-query.ts';

export interface QueryPopoverProps {
  view: View;
  fields: readonly Field[];
  query: ViewQuery;
}

export const SortPopover = ({ view, fields, query }: QueryPopoverProps) => {
  const items: readonly SortItem[] = view.sort?.sortObjs ?? [];
  return (
    <Popover
      label="Sort"
      trigger={
        <ToolbarButton
          icon={<ArrowDownUp size={16} aria-hidden />}
          label={items.length === 0 ? 'Sort' : `Sorted by ${items.length}`}
          active={items.length > 0}
        />
      }
    >
      <OrderedFields
        fields={fields}
        items={items}
        explanation="Records are in the order they were created. Add a field to sort by."
        words={{ field: 'Sort field', direction: 'Direction', remove: 'Stop sorting by', add: 'Add sort field' }}
        choose={(free) => free[0]}
        onChange={(changed) => void query.setSort(changed)}
      />
    </Popover>
  );
};
