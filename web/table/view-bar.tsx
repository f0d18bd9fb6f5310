import { createView, deleteView, renameView, type View, type ViewType } from '@rowhouse/contract/view.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import { restoreTrash } from '@rowhouse/contract/trash.ts';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Ellipsis, History, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { classNames } from '../ui/class-names.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { inSight } from '../ui/in-sight.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { showProblem, showToast } from '../ui/toast.ts';
import { FieldsPopover } from './fields-popover.tsx';
import type { BasePerson } from './editor/editor-props.ts';
import { GroupPopover } from './group/group-popover.tsx';
import { newView } from './new-view.ts';
import { viewsQuery } from './queries.ts';
import { FilterPopover } from './query/filter-popover.tsx';
import { type Place, SearchBox } from './query/search-box.tsx';
import { SortPopover } from './query/sort-popover.tsx';
import type { RecordWindow } from './record-window.ts';
import { RowHeightMenu } from './row-height-menu.tsx';
import { ToolbarButton } from './toolbar-button.tsx';
import { trashIdOf } from './undo/trash-id.ts';
import { viewTypeInfos } from './view-type.ts';

export interface ViewBarProps {
  tableId: string;
  views: readonly View[];
  view: View;
  fields: readonly Field[];
  role: Role;
  saving: boolean;
  people: readonly BasePerson[];
  window: RecordWindow;
  onGo: (place: Place) => void;
  onHistory: () => void;
}

export const ViewBar = ({ tableId, views, view, fields, role, saving, people, window, onGo, onHistory }: ViewBarProps) => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const navigate = useNavigate({ from: '/base/$baseId/$tableId' });
  const [asking, setAsking] = useState<'rename' | 'delete' | null>(null);
  const params = { tableId, viewId: view.id };
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: viewsQuery(tableId).queryKey });
  const close = (): void => setAsking(null);
  const mayChange = allows(role, 'view|update') && view.isLocked !== true;

  const add = async (type: ViewType, name: string): Promise<void> => {
    try {
      const { id } = await call(createView, { params: { tableId }, body: newView(type, name, fields) });
      await refresh();
      await navigate({ search: { view: id } });
    } catch (error) {
      showProblem(error, 'The view was not created.');
    }
  };

  const putBack = async (viewId: string): Promise<void> => {
    await call(restoreTrash, { params: { trashId: await trashIdOf(tableId, viewId) } });
    await refresh();
    await navigate({ search: { view: viewId } });
  };

  return (
    <div className="flex h-11 shrink-0 items-center gap-1 border-b border-line bg-surface px-2 sm:px-3">
      <nav aria-label="Views" className="flex min-w-0 flex-1 items-center gap-1 overflow-x-auto">
        {views.map((item) => {
          const Icon = viewTypeInfos[item.type].icon;
          return (
            <Link
              key={item.id}
              ref={item.id === view.id ? inSight : null}
              to="/base/$baseId/$tableId"
              params={{ baseId, tableId }}
              search={{ view: item.id }}
              aria-current={item.id === view.id ? 'page' : undefined}
              className={classNames('flex h-8 shrink-0 items-center gap-1.5 rounded-lg px-2.5 font-medium', item.id === view.id ? 'bg-accent-soft text-accent' : 'text-ink-soft hover:bg-sunken hover:text-ink')}
            >
              <Icon size={15} aria-hidden />
              <span className="max-w-40 truncate">{item.name}</span>
            </Link>
          );
        })}
        {allows(role, 'view|create') && (
          <Menu
            trigger={
              <IconButton label="Add a view">
                <Plus size={16} />
              </IconButton>
            }
          >
            {Object.entries(viewTypeInfos).map(([type, { icon: Icon, label }]) => (
              <MenuItem key={type} icon={<Icon size={16} />} onSelect={() => void add(type as ViewType, label)}>
                {label}
              </MenuItem>
            ))}
          </Menu>
        )}
        {mayChange && (
          <Menu
            trigger={
              <IconButton label={`More for ${view.name}`}>
                <Ellipsis size={16} />
              </IconButton>
            }
          >
            <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsking('rename')}>
              Rename view
            </MenuItem>
            <MenuItem danger icon={<Trash2 size={16} />} disabled={views.length === 1} onSelect={() => setAsking('delete')}>
              Delete view
            </MenuItem>
          </Menu>
        )}
      </nav>
      <span role="status" className="hidden px-2 text-[12px] text-ink-faint sm:block">
        {saving ? 'Saving…' : ''}
      </span>
      {view.type === 'grid' && <SearchBox tableId={tableId} viewId={view.id} onGo={onGo} />}
      {view.type !== 'form' && (
        <>
          <FilterPopover tableId={tableId} view={view} fields={fields} people={people} window={window} disabled={!mayChange} />
          {view.type === 'grid' && <GroupPopover tableId={tableId} view={view} fields={fields} window={window} disabled={!mayChange} />}
          {view.type !== 'calendar' && <SortPopover tableId={tableId} view={view} fields={fields} window={window} disabled={!mayChange} />}
        </>
      )}
      {view.type !== 'calendar' && <FieldsPopover tableId={tableId} view={view} fields={fields} disabled={!mayChange} />}
      {view.type === 'grid' && <RowHeightMenu tableId={tableId} view={view} disabled={!mayChange} />}
      {allows(role, 'table_record_history|read') && <ToolbarButton icon={<History size={16} aria-hidden />} label="History" onClick={onHistory} />}
      {asking === 'rename' && (
        <NameDialog
          title="Rename view"
          initial={view.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(renameView, { params, body: { name } });
            await refresh();
          }}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={`Delete the view ${view.name}?`}
          description="The records stay. This way of looking at them comes back from the history of the table, for as long as that is kept."
          action="Delete view"
          onClose={close}
          onConfirm={async () => {
            await call(deleteView, { params });
            await navigate({ search: {} });
            await refresh();
            showToast({ kind: 'note', title: `${view.name} is deleted.`, action: { label: 'Put back', run: () => void putBack(view.id).catch(showProblem) } });
          }}
        />
      )}
    </div>
  );
};
