// The tables and dashboards of a base in their folders. They are put in order by dragging, with Alt, Shift and an arrow key, or by their menus.
import { allows, standingIn } from '../../app/standing.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChartColumn, Sheet } from 'lucide-react';
import { useState } from 'react';
import { DashboardMenu } from '../../dashboard/dashboard-menu.tsx';
import { nodesQuery } from '../../record-data/queries.ts';
import { useStandingInTable } from '../../record-data/standing-in-table.ts';
import { classNames } from '../../ui/class-names.ts';
import { inSight } from '../../ui/focus.ts';
import { menuRow } from '../../ui/menu.tsx';
import { hasNoHover } from '../../ui/long-press.ts';
import { useSortable } from '../../ui/use-sortable.ts';
import { TableMenu } from '../table-menu.tsx';
import { toggleFolder, useClosedFolders } from './closed-folders.ts';
import { FolderRow } from './folder-row.tsx';
import { nodesAfter, type OutlineRow, outlineOf, stepOf } from './outline.ts';
import { sidebarItemClass } from './sidebar-state.ts';
import { moveTo } from './use-node-moves.ts';
import { ViewLinks } from './view-links.tsx';

interface TableLinksProps {
  baseId: string;
  tables: readonly Table[];
  tableId: string | undefined;
  base: { role: Role; isBound?: true | undefined };
  onAddTable: (parentId: string) => void;
}

export const TableLinks = ({ baseId, tables, tableId, base, onAddTable }: TableLinksProps) => {
  const role = standingIn(base);
  const standing = useStandingInTable(base, tableId ?? '')?.standing ?? role;
  const nodes = useQuery(nodesQuery(baseId)).data ?? [];
  const closed = useClosedFolders();
  const [menuOf, setMenuOf] = useState<string>();
  const { dashboardId } = useParams({ strict: false });
  const rows = outlineOf(nodes, tables, closed, tableId ?? dashboardId);
  const mayMove = allows(role, 'base|update') && allows(role, 'table|update');
  const sortable = useSortable({
    ids: rows.map(({ id }) => id),
    nameOf: (id) => rows.find((row) => row.id === id)?.name ?? '',
    onMove: mayMove
      ? (id, to) => {
          const folder = to.position === 'into' ? rows.find((row) => row.id === to.anchorId)?.folder : undefined;
          if (folder !== undefined) toggleFolder(folder.id, true);
          void moveTo(baseId, nodes, id, to);
        }
      : undefined,
    takesIn: (id, moved) =>
      rows.some((row) => row.id === id && row.folder !== undefined) &&
      nodesAfter(nodes, moved, { anchorId: id, position: 'into' }) !== undefined,
    step: (id, by) => stepOf(nodes, closed, id, by),
  });
  const mover = (id: string, by: -1 | 1) => (sortable.canMoveBy(id, by) ? () => sortable.moveBy(id, by) : undefined);
  const folders = rows.flatMap(({ id, name, folder }) => (folder === undefined ? [] : [{ id, name }]));

  const tableRow = ({ id, parentId, table }: OutlineRow & { table: Table }) => {
    const isOpen = table.id === tableId;
    return (
      <>
        <div
          ref={isOpen ? inSight : null}
          {...menuRow}
          onContextMenu={(event) => {
            event.preventDefault();
            setMenuOf(id);
          }}
          className={classNames('group flex items-center rounded-lg pr-1', isOpen ? 'bg-sunken' : 'hover:bg-sunken')}
        >
          <Link
            to="/base/$baseId/$tableId"
            params={{ baseId, tableId: table.id }}
            draggable={false}
            className={classNames(sidebarItemClass, isOpen && 'font-medium text-ink')}
            aria-current={isOpen ? 'page' : undefined}
          >
            <span className="flex w-4 shrink-0 justify-center" aria-hidden>
              {table.icon ?? <Sheet size={16} className="text-ink-faint" />}
            </span>
            <span className="truncate">{table.name}</span>
          </Link>
          {(isOpen || menuOf === id || hasNoHover()) && (
            <TableMenu
              startsOpen={menuOf === id}
              baseId={baseId}
              table={table}
              tables={tables}
              role={isOpen ? standing : role}
              mayShare={allows(role, 'base|update')}
              onUp={mover(id, -1)}
              onDown={mover(id, 1)}
              folders={mayMove ? folders.filter((folder) => folder.id !== parentId) : []}
              onFolder={(folderId) => void moveTo(baseId, nodes, id, { anchorId: folderId, position: 'into' })}
            />
          )}
        </div>
        {isOpen && <ViewLinks baseId={baseId} tableId={table.id} role={standing} />}
      </>
    );
  };

  const dashboardRow = ({ id, parentId }: OutlineRow, dashboard: { id: string; name: string }) => {
    const isOpen = dashboard.id === dashboardId;
    return (
      <div
        ref={isOpen ? inSight : null}
        {...menuRow}
        onContextMenu={(event) => {
          event.preventDefault();
          setMenuOf(id);
        }}
        className={classNames('group flex items-center rounded-lg pr-1', isOpen ? 'bg-sunken' : 'hover:bg-sunken')}
      >
        <Link
          to="/base/$baseId/dashboard/$dashboardId"
          params={{ baseId, dashboardId: dashboard.id }}
          draggable={false}
          className={classNames(sidebarItemClass, isOpen && 'font-medium text-ink')}
          aria-current={isOpen ? 'page' : undefined}
        >
          <span className="flex w-4 shrink-0 justify-center" aria-hidden>
            <ChartColumn size={16} className="text-ink-faint" />
          </span>
          <span className="truncate">{dashboard.name}</span>
        </Link>
        {allows(role, 'base|update') && (isOpen || menuOf === id || hasNoHover()) && (
          <DashboardMenu
            startsOpen={menuOf === id}
            baseId={baseId}
            dashboard={dashboard}
            onUp={mover(id, -1)}
            onDown={mover(id, 1)}
            folders={mayMove ? folders.filter((folder) => folder.id !== parentId) : []}
            onFolder={(folderId) => void moveTo(baseId, nodes, id, { anchorId: folderId, position: 'into' })}
          />
        )}
      </div>
    );
  };

  return (
    <nav aria-label="Tables">
      <ul className="flex flex-col gap-px">
        {rows.map(({ folder, table, dashboard, ...row }) => (
          <li key={row.id} {...sortable.propsOf(row.id)} style={{ paddingLeft: row.depth * 14 }} className="rounded-lg">
            {folder !== undefined && (
              <FolderRow
                baseId={baseId}
                row={{ ...row, folder, table, dashboard }}
                role={role}
                onAddTable={onAddTable}
                onUp={mover(row.id, -1)}
                onDown={mover(row.id, 1)}
              />
            )}
            {table !== undefined && tableRow({ ...row, folder, table, dashboard })}
            {dashboard !== undefined && dashboardRow({ ...row, folder, table, dashboard }, dashboard)}
          </li>
        ))}
      </ul>
    </nav>
  );
};
