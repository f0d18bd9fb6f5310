import type { Role } from '@rowhouse/contract/permission.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import { Link } from '@tanstack/react-router';
import { Sheet } from 'lucide-react';
import { classNames } from '../../ui/class-names.ts';
import { inSight } from '../../ui/focus.ts';
import { TableMenu } from '../table-menu.tsx';
import { sidebarItemClass } from './sidebar-state.ts';
import { ViewLinks } from './view-links.tsx';

interface TableLinksProps {
  baseId: string;
  tables: readonly Table[];
  tableId: string | undefined;
  role: Role;
}

export const TableLinks = ({ baseId, tables, tableId, role }: TableLinksProps) => (
  <nav aria-label="Tables">
    <ul className="flex flex-col gap-px">
      {tables.map((table) => {
        const isOpen = table.id === tableId;
        return (
          <li key={table.id}>
            <div
              ref={isOpen ? inSight : null}
              className={classNames(
                'group flex items-center rounded-lg pr-1',
                isOpen ? 'bg-sunken' : 'hover:bg-sunken',
              )}
            >
              <Link
                to="/base/$baseId/$tableId"
                params={{ baseId, tableId: table.id }}
                className={classNames(sidebarItemClass, isOpen && 'font-medium text-ink')}
                aria-current={isOpen ? 'page' : undefined}
              >
                <span className="flex w-4 shrink-0 justify-center" aria-hidden>
                  {table.icon ?? <Sheet size={16} className="text-ink-faint" />}
                </span>
                <span className="truncate">{table.name}</span>
              </Link>
              {isOpen && <TableMenu baseId={baseId} table={table} tables={tables} role={role} />}
            </div>
            {isOpen && <ViewLinks baseId={baseId} tableId={table.id} role={role} />}
          </li>
        );
      })}
    </ul>
  </nav>
);
