import type { Field } from '@rowhouse/contract/field.ts';
import { Layers } from 'lucide-react';
import { Popover } from '../../ui/popover.tsx';
import { OrderedFields } from '../query/ordered-fields.tsx';
import type { QueryPopoverProps } from '../query/sort-popover.tsx';
import { type SortItem, useViewQuery } from '../query/use-view-query.ts';
import { ToolbarButton } from '../toolbar-button.tsx';

const maxLevels = 3;

/** The first field that has few values rather than the name of every record. */
const choose = (free: readonly Field[]): Field | undefined => free.find(({ type }) => type === 'singleSelect') ?? free.find(({ isPrimary }) => isPrimary !== true) ?? free[0];

export const GroupPopover = ({ tableId, view, fields, window, disabled }: QueryPopoverProps) => {
  const { setGroup } = useViewQuery(tableId, view, window);
  const items: readonly SortItem[] = view.group ?? [];
  return (
    <Popover label="Group" align="end" trigger={<ToolbarButton icon={<Layers size={16} aria-hidden />} label={items.length === 0 ? 'Group' : `Grouped by ${items.length}`} active={items.length > 0} disabled={disabled} />}>
      <OrderedFields
        fields={fields}
        items={items}
        explanation="Records with the same value stand together under a header."
        words={{ field: 'Group field', direction: 'Group direction', remove: 'Do not group by', add: items.length === 0 ? 'Group by a field' : 'Add a level' }}
        choose={choose}
        most={maxLevels}
        onChange={(changed) => void setGroup(changed)}
      />
    </Popover>
  );
};
