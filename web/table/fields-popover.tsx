// Which fields the view shows, and in which order.
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { EyeOff, GripVertical, Search } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Popover } from '../ui/popover.tsx';
import { columnsOf, hiding, isHidden, metaOf, orderBetween, orderedFields } from '../record-data/columns.ts';
import { fieldTypeOf } from '../field-type/field-types.ts';
import { type Destination, reordered } from '../ui/reorder.ts';
import { useSortable } from '../ui/use-sortable.ts';
import { ToolbarButton } from '../ui/toolbar-button.tsx';
import { useColumnActions } from '../view-type/grid/use-column-actions.ts';

interface FieldsPopoverProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  disabled: boolean;
}

const FieldList = ({ tableId, view, fields, disabled }: FieldsPopoverProps) => {
  const { setMeta } = useColumnActions(tableId, view, columnsOf(fields, view));
  const [search, setSearch] = useState('');
  const ordered = orderedFields(fields, view);
  const wanted = search.trim().toLowerCase();
  const found = ordered.filter(({ name }) => name.toLowerCase().includes(wanted));
  const movable = found.filter(({ isPrimary }) => isPrimary !== true);
  const place = (id: string, { anchorId, position }: Destination): void => {
    if (position === 'into') return;
    const next = reordered(
      ordered.map((field) => field.id),
      id,
      anchorId,
      position,
    );
    const at = next.indexOf(id);
    const orderAt = (index: number): number | undefined =>
      next[index] === undefined ? undefined : metaOf(view, next[index]).order;
    setMeta({ [id]: { order: orderBetween(orderAt(at - 1), orderAt(at + 1)) } });
  };
  const { propsOf } = useSortable({
    ids: movable.map(({ id }) => id),
    nameOf: (id) => fields.find((field) => field.id === id)?.name ?? '',
    onMove: disabled ? undefined : place,
  });
  /** Only those that are in the list: a search narrows down what is shown or hidden. */
  const set = (hide: boolean): void => {
    const changed = found.filter((field) => field.isPrimary !== true && isHidden(view, field) !== hide);
    if (changed.length > 0) setMeta(Object.fromEntries(changed.map(({ id }) => [id, hiding(view, hide)])));
  };
  const canChange = (hide: boolean): boolean =>
    !disabled && found.some((field) => field.isPrimary !== true && isHidden(view, field) !== hide);
  return (
    <div className="flex w-64 max-w-full flex-col">
      <div className="mb-1 flex items-center gap-2 border-b border-line px-2 pb-1.5">
        <Search size={14} className="shrink-0 text-ink-faint" aria-hidden />
        <input
          aria-label="Search fields"
          placeholder="Search fields"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="h-7 min-w-0 flex-1 bg-transparent outline-none"
        />
      </div>
      <ul className="flex max-h-80 flex-col overflow-y-auto">
        {found.map((field) => {
          const { icon: Icon } = fieldTypeOf(field.type);
          return (
            <li key={field.id} {...(field.isPrimary === true ? {} : propsOf(field.id))} className="rounded-lg">
              <label className="flex items-center gap-2.5 rounded-lg px-2 py-1.5 hover:bg-sunken">
                <input
                  type="checkbox"
                  checked={!isHidden(view, field)}
                  disabled={disabled || field.isPrimary === true}
                  onChange={(event) => setMeta({ [field.id]: hiding(view, !event.target.checked) })}
                />
                <Icon size={15} className="shrink-0 text-ink-faint" aria-hidden />
                <span className="flex-1 truncate">{field.name}</span>
                {!disabled && field.isPrimary !== true && (
                  <GripVertical size={14} className="shrink-0 cursor-grab text-ink-faint" aria-hidden />
                )}
              </label>
            </li>
          );
        })}
        {found.length === 0 && <li className="px-2 py-1.5 text-ink-faint">No field found</li>}
      </ul>
      <div className="mt-1 flex gap-1 border-t border-line pt-1.5">
        <Button size="small" look="ghost" disabled={!canChange(false)} onClick={() => set(false)}>
          Show all
        </Button>
        <Button size="small" look="ghost" disabled={!canChange(true)} onClick={() => set(true)}>
          Hide all
        </Button>
      </div>
    </div>
  );
};

export const FieldsPopover = (props: FieldsPopoverProps) => {
  const { view, fields } = props;
  const hidden = fields.filter((field) => isHidden(view, field)).length;
  const isNarrowed = hidden > 0 && shapeOf(view.type).columns === 'hidden';
  return (
    <Popover
      label="Fields of this view"
      className="p-2"
      trigger={
        <ToolbarButton
          icon={<EyeOff size={16} aria-hidden />}
          label={isNarrowed ? `${hidden} hidden` : 'Fields'}
          active={isNarrowed}
        />
      }
    >
      <FieldList {...props} />
    </Popover>
  );
};
