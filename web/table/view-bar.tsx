// What can be done with the view that is shown, and with its records.
import type { Field } from '@rowhouse/contract/field.ts';
import { useMayChangeView } from '../record-data/use-may-change-view.ts';
import { allows, type Standing } from '../app/standing.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { ChevronDown, History, Lock, Plus, Redo2, Share2, TriangleAlert, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { BasePerson } from '../record-data/queries.ts';
import { FieldsPopover } from './fields-popover.tsx';
import { CardSearch } from '../view-type/query/card-search.tsx';
import { ColorPopover } from '../view-type/color/color-popover.tsx';
import { FilterPopover } from '../view-type/query/filter-popover.tsx';
import { type Found, SearchBox } from '../view-type/query/search-box.tsx';
import { SortPopover } from '../view-type/query/sort-popover.tsx';
import type { ViewQuery } from '../view-type/query/use-view-query.ts';
import { useIsWide, useSidebarWanted } from './sidebar/sidebar-state.ts';
import { ToolbarButton } from '../ui/toolbar-button.tsx';
import { useFittingWords } from '../ui/use-fitting-words.ts';
import type { TableRecords } from '../record-data/table-records.ts';
import { orderedFields } from '../record-data/columns.ts';
import { NewRecordMenu } from './template/new-record-menu.tsx';
import { ShareDialog } from './view/share-dialog.tsx';
import { ViewMenu } from './view/view-menu.tsx';
import { viewTypes } from '../view-type/view-types.ts';

interface ViewBarProps {
  tableId: string;
  views: readonly View[];
  view: View;
  fields: readonly Field[];
  role: Standing;
  people: readonly BasePerson[];
  records: TableRecords;
  query: ViewQuery;
  isHistoryOpen: boolean;
  onGo: (place: Found) => void;
  /** What is searched for in views of cards. */
  search: string;
  onSearch: (text: string) => void;
  onHistory: () => void;
  /** Absent where records are not made by a button. */
  onAdd: ((ofTemplate?: Record<string, unknown>) => void) | undefined;
}

export const ViewBar = ({
  tableId,
  views,
  view,
  fields,
  role,
  people,
  records,
  query,
  isHistoryOpen,
  onGo,
  search,
  onSearch,
  onHistory,
  onAdd,
}: ViewBarProps) => {
  const { undo, edits } = records;
  const mayChange = useMayChangeView(view, role);
  const mayWrite = allows(role, 'record|update');
  const {
    icon: Icon,
    tools,
    before: Before,
    between: Between,
    behind: Behind,
    search: searches,
  } = viewTypes[view.type];
  const tool = { tableId, view, fields, query, disabled: !mayChange };
  const [isSharing, setSharing] = useState(false);
  const isWide = useIsWide();
  const hasSidebar = useSidebarWanted() && isWide;
  const toolsElement = useFittingWords();
  const hasTools = tools.length > 0 || Before !== undefined || Between !== undefined || Behind !== undefined;

  return (
    <div
      role="toolbar"
      aria-label="View"
      className="@container flex min-h-12 shrink-0 flex-wrap items-center gap-0.5 border-b border-line bg-surface px-2 print:hidden sm:px-3"
    >
      <ViewMenu
        tableId={tableId}
        view={view}
        views={views}
        role={role}
        isSwitcher={!hasSidebar}
        query={query}
        trigger={
          <button
            type="button"
            title={view.description ?? 'View'}
            className="flex h-8 min-w-0 items-center gap-1.5 rounded-lg px-2 font-semibold hover:bg-sunken @max-3xl:mr-auto"
          >
            <Icon size={16} className="shrink-0 text-accent" aria-hidden />
            <span className="max-w-44 truncate">{view.name}</span>
            {view.isShareHeld === true && (
              <TriangleAlert
                size={13}
                className="shrink-0 text-danger"
                aria-label="Its link shows no records: open Share to decide"
              />
            )}
            {view.isLocked === true && <Lock size={13} className="shrink-0 text-ink-faint" aria-label="Locked" />}
            <ChevronDown size={14} className="shrink-0 text-ink-faint" aria-hidden />
          </button>
        }
      />
      {hasTools && <span className="mx-1.5 h-5 w-px shrink-0 bg-line @max-3xl:hidden" aria-hidden />}
      {/* On a phone or a tablet a line of its own: what is scrolled out of sight there, nobody finds. */}
      <div
        ref={toolsElement}
        className={classNames(
          // What scrolls cuts off what reaches out of it, such as the ring of the focus.
          'flex min-w-0 flex-1 items-center gap-0.5 overflow-x-auto [&_:focus-visible]:-outline-offset-2',
          hasTools && '@max-3xl:order-last @max-3xl:basis-full @max-3xl:pb-2',
        )}
      >
        {Before !== undefined && <Before {...tool} />}
        {tools.includes('fields') && (
          <FieldsPopover tableId={tableId} view={view} fields={fields} disabled={!mayChange} />
        )}
        {tools.includes('filter') && <FilterPopover view={view} fields={fields} people={people} query={query} />}
        {Between !== undefined && <Between {...tool} />}
        {tools.includes('sort') && <SortPopover view={view} fields={fields} query={query} />}
        {tools.includes('colors') && (
          <ColorPopover tableId={tableId} view={view} fields={fields} people={people} disabled={!mayChange} />
        )}
        {Behind !== undefined && <Behind {...tool} />}
        {/* As wide when it says nothing: words must not come and go with every edit. */}
        <span role="status" className="hidden min-w-16 px-2 text-[12px] whitespace-nowrap text-ink-faint sm:block">
          {edits.isSaving() ? 'Saving…' : ''}
        </span>
      </div>
      {searches === 'places' && <SearchBox tableId={tableId} viewId={view.id} onGo={onGo} />}
      {searches === 'cards' && <CardSearch text={search} onText={onSearch} />}
      {mayWrite && (
        <>
          <IconButton label="Undo last change" title="Undo (Ctrl Z)" onClick={() => void undo.undo()}>
            <Undo2 size={17} />
          </IconButton>
          <IconButton
            label="Redo last change"
            title="Redo (Ctrl Shift Z)"
            className="@max-xs:hidden"
            onClick={() => void undo.redo()}
          >
            <Redo2 size={17} />
          </IconButton>
        </>
      )}
      {allows(role, 'table_record_history|read') && (
        <ToolbarButton
          icon={<History size={16} aria-hidden />}
          label="History"
          isAside
          aria-pressed={isHistoryOpen}
          active={isHistoryOpen}
          onClick={onHistory}
        />
      )}
      {allows(role, 'view|share') && (
        <ToolbarButton
          icon={<Share2 size={16} aria-hidden />}
          label="Share"
          isAside
          active={view.enableShare === true}
          onClick={() => setSharing(true)}
        />
      )}
      {isSharing && <ShareDialog tableId={tableId} view={view} onClose={() => setSharing(false)} />}
      {onAdd !== undefined && (
        <span className="ml-1.5 flex">
          <Button
            look="primary"
            size="small"
            className="rounded-r-none"
            icon={<Plus size={16} />}
            onClick={() => onAdd()}
          >
            <span className="max-sm:sr-only">New record</span>
          </Button>
          <NewRecordMenu
            tableId={tableId}
            view={view}
            fields={orderedFields(fields, view)}
            people={people}
            may={{ change: allows(role, 'view|update'), setDefault: mayChange }}
            onAdd={onAdd}
          />
        </span>
      )}
    </div>
  );
};
