import { useNavigate, useParams } from '@tanstack/react-router';
import { type LucideIcon, Box, ChartColumn, FileText, Rows3, Search, SquareChevronRight, Table2 } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { useMe } from '../app/me.ts';
import { chooseTheme } from '../ui/theme.ts';
import { classNames } from '../ui/class-names.ts';
import { useFoundRecords, usePlaces } from './palette-data.ts';
import { type ItemKind, paletteGroups, type PaletteItem } from './palette-items.ts';
import { show } from '../app/palette-state.ts';

const icons: Record<ItemKind, LucideIcon> = {
  command: SquareChevronRight,
  base: Box,
  table: Table2,
  dashboard: ChartColumn,
  view: Rows3,
  record: FileText,
};

const searchAfter = 200;

/** What was typed, once nothing more has been typed for a moment. */
const useSettled = (typed: string): string => {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), searchAfter);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
};

const useItems = (typed: string): { items: PaletteItem[]; isSearching: boolean; tableIds: ReadonlySet<string> } => {
  const navigate = useNavigate();
  const me = useMe();
  const { baseId, tableId } = useParams({ strict: false });
  const { bases, tables, views, own, dashboards } = usePlaces(baseId);
  const near = own
    .map(({ table }) => table)
    .toSorted((one, other) => Number(other.id === tableId) - Number(one.id === tableId));
  const { records, isSearching } = useFoundRecords(near, useSettled(typed));
  const command = (label: string, run: () => void): PaletteItem => ({ id: label, kind: 'command', label, run });
  const commands = [
    command('Go to home', () => void navigate({ to: '/' })),
    command('Open your account', () => void navigate({ to: '/account' })),
    command('Open access tokens', () => void navigate({ to: '/account/tokens' })),
    command('Open the trash', () => void navigate({ to: '/trash' })),
    ...(me.isAdmin ? [command('Administration', () => void navigate({ to: '/admin' }))] : []),
    ...(baseId === undefined
      ? []
      : [
          command('Show people of this base', () => void navigate({ to: '/base/$baseId/people', params: { baseId } })),
          command(
            'Show the automations of this base',
            () => void navigate({ to: '/base/$baseId/automations', params: { baseId } }),
          ),
          command(
            'Show the webhooks of this base',
            () => void navigate({ to: '/base/$baseId/webhooks', params: { baseId } }),
          ),
          command('Show the schema of this base', () => void navigate({ to: '/base/$baseId/map', params: { baseId } })),
        ]),
    ...(baseId === undefined || tableId === undefined
      ? []
      : [
          command(
            'Show the API of this table',
            () => void navigate({ to: '/base/$baseId/$tableId/api', params: { baseId, tableId } }),
          ),
        ]),
    command('Use the light theme', () => chooseTheme('light')),
    command('Use the dark theme', () => chooseTheme('dark')),
    command('Use the theme of the system', () => chooseTheme('system')),
    command('Show keyboard shortcuts', () => show('shortcuts')),
    command('Open the API reference', () => void window.open('/api/docs', '_blank', 'noopener')),
  ];
  const open = (base: string, table: string, search: { view?: string; record?: string }) => () =>
    void navigate({ to: '/base/$baseId/$tableId', params: { baseId: base, tableId: table }, search });
  return {
    items: [
      ...tables.map(
        ({ table, base }): PaletteItem => ({
          id: table.id,
          kind: 'table',
          label: table.name,
          place: base.name,
          run: open(base.id, table.id, {}),
        }),
      ),
      ...dashboards.map(
        ({ id, name }): PaletteItem => ({
          id,
          kind: 'dashboard',
          label: name,
          run: () =>
            void navigate({
              to: '/base/$baseId/dashboard/$dashboardId',
              params: { baseId: baseId ?? '', dashboardId: id },
            }),
        }),
      ),
      ...views.map(
        ({ view, table, base }): PaletteItem => ({
          id: view.id,
          kind: 'view',
          label: view.name,
          place: table.name,
          run: open(base.id, table.id, { view: view.id }),
        }),
      ),
      ...bases.map(
        (base): PaletteItem => ({
          id: base.id,
          kind: 'base',
          label: base.name,
          run: () => void navigate({ to: '/base/$baseId', params: { baseId: base.id } }),
        }),
      ),
      ...records.map(
        (record): PaletteItem => ({
          id: record.recordId,
          kind: 'record',
          label: record.name === '' ? 'Unnamed record' : record.name,
          place: record.tableName,
          run: open(baseId ?? '', record.tableId, { record: record.recordId }),
        }),
      ),
      ...commands,
    ],
    isSearching,
    tableIds: new Set([...near, ...dashboards].map(({ id }) => id)),
  };
};

export const Palette = ({ onClose }: { onClose: () => void }) => {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const { items, isSearching, tableIds } = useItems(typed);
  const groups = paletteGroups(items, useDeferredValue(typed), (item) => tableIds.has(item.id));
  const shown = groups.flatMap((group) => group.items);
  const current = Math.min(active, Math.max(0, shown.length - 1));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const run = (item: PaletteItem | undefined): void => {
    if (item === undefined) return;
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && shown.length > 0) setActive((current + step + shown.length) % shown.length);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(shown[current]);
    else return;
    event.preventDefault();
  };
  const optionId = (item: PaletteItem): string => `${id}-${item.kind}-${item.id}`;

  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)] animate-appear" />
        <Radix.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          className="fixed top-[10vh] left-1/2 z-50 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-2xl border border-line bg-raised shadow-float focus:outline-none"
        >
          <Radix.Title className="sr-only">Find a place, a record or a command</Radix.Title>
          <label className="flex items-center gap-3 border-b border-line px-4">
            <Search size={17} className="shrink-0 text-ink-faint" aria-hidden />
            <input
              autoFocus
              role="combobox"
              aria-expanded
              aria-controls={`${id}-list`}
              aria-activedescendant={shown[current] === undefined ? undefined : optionId(shown[current])}
              aria-label="Find a place, a record or a command"
              placeholder="Find a table, dashboard, view, base, record or command"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setActive(0);
              }}
              className="h-12 min-w-0 flex-1 bg-transparent text-[15px] outline-none placeholder:text-ink-faint"
            />
          </label>
          <div ref={list} className="overflow-y-auto p-2">
            {/* Nothing but options may stand in it. */}
            <div id={`${id}-list`} role="listbox" aria-label="Found">
              {groups.map(({ title, items: ofGroup }) => (
                <div key={title} role="group" aria-label={title} className="mb-1">
                  <div aria-hidden className="px-2 pt-1.5 pb-1 text-[12px] font-medium text-ink-faint">
                    {title}
                  </div>
                  {ofGroup.map((item) => {
                    const Icon = icons[item.kind];
                    const at = shown.indexOf(item);
                    return (
                      <div
                        key={optionId(item)}
                        id={optionId(item)}
                        role="option"
                        aria-selected={at === current}
                        onMouseMove={() => setActive(at)}
                        onClick={() => run(item)}
                        className={classNames(
                          'flex cursor-default items-center gap-2.5 rounded-lg px-2 py-1.5 select-none',
                          at === current && 'bg-sunken',
                        )}
                      >
                        <Icon size={16} className="shrink-0 text-ink-faint" aria-hidden />
                        <span className="min-w-0 flex-1 truncate">{item.label}</span>
                        {item.place !== undefined && (
                          <span className="max-w-[45%] truncate text-[13px] text-ink-faint">{item.place}</span>
                        )}
                      </div>
                    );
                  })}
                </div>
              ))}
            </div>
            <p
              role="status"
              className={classNames('px-2 py-3 text-ink-soft', (shown.length > 0 || isSearching) && 'sr-only')}
            >
              {isSearching ? 'Searching …' : shown.length === 0 ? 'Nothing found' : `${shown.length} found`}
            </p>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};
