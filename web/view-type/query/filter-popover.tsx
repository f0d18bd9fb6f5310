import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { ListFilter, TriangleAlert } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Popover } from '../../ui/popover.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { ToolbarButton } from '../../ui/toolbar-button.tsx';
import {
  countConditions,
  newCondition,
  noFilter,
  unfitConditions,
  writeFilter,
} from '../../field-type/filter/conditions.ts';
import { FilterGroupEditor } from '../../field-type/filter/filter-group.tsx';
import type { QueryPopoverProps } from './sort-popover.tsx';

// The menu of a column asks for a filter by its field; the filter above the table opens with it.
const listeners = new Set<(fieldId: string) => void>();

export const askForFilter = (fieldId: string): void => listeners.forEach((listener) => listener(fieldId));

const onFilterAsked = (listener: (fieldId: string) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const saveAfter = 350;

export const FilterPopover = ({
  view,
  fields,
  people,
  query,
}: QueryPopoverProps & { people: readonly BasePerson[] }) => {
  const saved = (view.filter as FilterGroup | undefined) ?? noFilter;
  const [draft, setDraft] = useState<FilterGroup | null>(null);
  /** What the draft began with, or what of it was sent last: the difference is what is to be saved. */
  const sent = useRef(saved);
  const unsent = useRef<{ timer: ReturnType<typeof setTimeout>; send: () => void }>(undefined);
  const [isOpen, setOpen] = useState(false);
  const active = countConditions(saved);
  const unfit = unfitConditions(saved, fields).length;
  const shown = draft ?? saved;

  const begin = (next: FilterGroup): void => {
    if (draft === null) sent.current = saved;
    setDraft(next);
  };
  const send = useCallback((): void => {
    clearTimeout(unsent.current?.timer);
    unsent.current?.send();
    unsent.current = undefined;
  }, []);
  useEffect(() => send, [send]);
  useEffect(() =>
    onFilterAsked((fieldId) => {
      const field = fields.find(({ id }) => id === fieldId);
      if (field === undefined) return;
      begin({ ...shown, filterSet: [...shown.filterSet, newCondition(field)] });
      setOpen(true);
    }),
  );
  const change = (next: FilterGroup): void => {
    begin(next);
    clearTimeout(unsent.current?.timer);
    const save = (): void => {
      const filter = writeFilter(next);
      void query.setFilter(filter, writeFilter(sent.current));
      sent.current = filter ?? noFilter;
    };
    unsent.current = { timer: setTimeout(send, saveAfter), send: save };
  };
  /** What is not complete is not kept, and what others have changed meanwhile is seen the next time. */
  const open = (next: boolean): void => {
    setOpen(next);
    if (next) return;
    send();
    setDraft(null);
  };

  const words = active === 0 ? 'Filter' : `${active} ${active === 1 ? 'filter' : 'filters'}`;
  return (
    <Popover
      label="Filter"
      open={isOpen}
      onOpenChange={open}
      trigger={
        <ToolbarButton
          icon={unfit > 0 ? <TriangleAlert size={16} aria-hidden /> : <ListFilter size={16} aria-hidden />}
          label={unfit === 0 ? words : `${words}, ${unfit} without effect`}
          shortLabel={words}
          active={active > 0}
          className={unfit === 0 ? undefined : 'bg-warn-soft! text-warn!'}
        />
      }
    >
      <div className="flex w-[44rem] max-w-full flex-col gap-2.5">
        {shown.filterSet.length === 0 && (
          <p className="text-ink-soft">All records are shown. Add a condition to narrow them down.</p>
        )}
        <FilterGroupEditor group={shown} place="" fields={fields} people={people} onChange={change} />
      </div>
    </Popover>
  );
};
