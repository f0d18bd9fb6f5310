import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import { Layers } from 'lucide-react';
import { Popover } from '../../../ui/popover.tsx';
import { OrderedFields } from '../../query/ordered-fields.tsx';
import type { QueryPopoverProps } from '../../query/sort-popover.tsx';
import type { SortItem } from '../../../record-data/own-query.ts';
import { ToolbarButton } from '../../../ui/toolbar-button.tsx';

const maxLevels = 3;

/** The first field that has few values rather than the name of every record. */
const choose = (free: readonly Field[]): Field | undefined =>
  free.find((field) => kindOf(field) === 'choice' && field.isMultipleCellValue !== true) ??
  free.find(({ isPrimary }) => isPrimary !== true) ??
  free[0];

export const GroupPopover = ({ view, fields, query }: QueryPopoverProps) => {
  const items: readonly SortItem[] = view.group ?? [];
  return (
    <Popover
      label="Group"
      trigger={
        <ToolbarButton
          icon={<Layers size={16} aria-hidden />}
          label={items.length === 0 ? 'Group' : `Grouped by ${items.length}`}
          active={items.length > 0}
        />
      }
    >
      <OrderedFields
        fields={fields}
        items={items}
        explanation="Records with the same value are shown together under a heading."
        words={{
          field: 'Group field',
          direction: 'Group direction',
          remove: 'Stop grouping by',
          add: items.length === 0 ? 'Group by a field' : 'Add a level',
        }}
        choose={choose}
        most={maxLevels}
        onChange={(changed) => void query.setGroup(changed)}
      />
    </Popover>
  );
};
