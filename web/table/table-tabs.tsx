import type { Table } from '@rowhouse/contract/table.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { Link, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { inSight } from '../ui/in-sight.ts';
import { TableMenu } from './table-menu.tsx';

export interface TableTabsProps {
  baseId: string;
  tables: readonly Table[];
  role: Role;
  onAdd: (() => void) | undefined;
}

export const TableTabs = ({ baseId, tables, role, onAdd }: TableTabsProps) => {
  const { tableId } = useParams({ strict: false });
  return (
    <nav aria-label="Tables" className="flex h-10 shrink-0 items-end gap-1 overflow-x-auto border-b border-line bg-canvas px-3 sm:px-4">
      {tables.map((table) => {
        const active = table.id === tableId;
        return (
          <div
            key={table.id}
            ref={active ? inSight : null}
            className={classNames(
              'flex h-9 shrink-0 items-center rounded-t-lg border border-b-0 px-1',
              active ? '-mb-px h-[37px] border-line bg-surface' : 'border-transparent text-ink-soft hover:bg-sunken hover:text-ink',
            )}
          >
            <Link to="/base/$baseId/$tableId" params={{ baseId, tableId: table.id }} className="max-w-56 truncate px-2 py-1 font-medium" aria-current={active ? 'page' : undefined}>
              {table.icon !== undefined && `${table.icon} `}
              {table.name}
            </Link>
            {active && <TableMenu baseId={baseId} table={table} tables={tables} role={role} />}
          </div>
        );
      })}
      {onAdd !== undefined && (
        <IconButton label="Add a table" className="mb-0.5" onClick={onAdd}>
          <Plus size={17} />
        </IconButton>
      )}
    </nav>
  );
};
