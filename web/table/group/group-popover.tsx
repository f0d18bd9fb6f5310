import { Layers, Plus, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { directionsOf, type QueryPopoverProps } from '../query/sort-popover.tsx';
import { type SortItem, useViewQuery } from '../query/use-view-query.ts';
import { ToolbarButton } from '../toolbar-button.tsx';

const maxLevels = 3;

export const GroupPopover = ({ tableId, view, fields, window, disabled }: QueryPopoverProps) => {
  const { setGroup } = useViewQuery(tableId, view, window);
  const items: readonly SortItem[] = view.group ?? [];
  const free = fields.filter((field) => !items.some((item) => item.fieldId === field.id));
  const change = (index: number, part: Partial<SortItem>): void => void setGroup(items.map((item, place) => (place === index ? { ...item, ...part } : item)));
  // The first field that has few values rather than the name of every record.
  const next = free.find(({ type }) => type === 'singleSelect') ?? free.find(({ isPrimary }) => isPrimary !== true) ?? free[0];

  return (
    <Popover label="Group" align="end" trigger={<ToolbarButton icon={<Layers size={16} aria-hidden />} label={items.length === 0 ? 'Group' : `Grouped by ${items.length}`} active={items.length > 0} disabled={disabled} />}>
      <div className="flex w-80 max-w-full flex-col gap-2">
        {items.length === 0 && <p className="text-ink-soft">Records with the same value stand together under a header.</p>}
        {items.map((item, index) => {
          const field = fields.find(({ id }) => id === item.fieldId);
          const [asc, desc] = directionsOf(field);
          return (
            <div key={item.fieldId} className="flex items-center gap-2">
              <SelectField label={`Group field ${index + 1}`} hideLabel className="min-w-0 flex-1" value={item.fieldId} options={[...(field === undefined ? [] : [field]), ...free].map(({ id, name }) => ({ value: id, label: name }))} onValue={(fieldId) => change(index, { fieldId })} />
              <SelectField
                label={`Group direction ${index + 1}`}
                hideLabel
                className="w-32 shrink-0"
                value={item.order}
                options={[
                  { value: 'asc', label: asc },
                  { value: 'desc', label: desc },
                ]}
                onValue={(order) => change(index, { order: order as SortItem['order'] })}
              />
              <IconButton label={`Do not group by ${field?.name ?? 'this'}`} onClick={() => void setGroup(items.filter((_item, place) => place !== index))}>
                <X size={16} />
              </IconButton>
            </div>
          );
        })}
        <Button size="small" className="self-start" icon={<Plus size={15} />} disabled={next === undefined || items.length >= maxLevels} onClick={() => next !== undefined && void setGroup([...items, { fieldId: next.id, order: 'asc' }])}>
          {items.length === 0 ? 'Group by a field' : 'Add a level'}
        </Button>
      </div>
    </Popover>
  );
};
