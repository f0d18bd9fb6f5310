// What is in a base: its tables and dashboards, and the views of the one that is open.
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { getBase } from '@rowhouse/contract/base.ts';
import { allows, standingIn } from '../../app/standing.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import { Link } from '@tanstack/react-router';
import {
  ChartColumn,
  ChevronsUpDown,
  FileUp,
  FolderPlus,
  Network,
  PanelLeftClose,
  Plus,
  Search,
  ShieldCheck,
  Users,
  Webhook,
  Zap,
} from 'lucide-react';
import { BaseMenu } from '../../home/base-menu.tsx';
import type { Space } from '../../home/spaces-query.ts';
import { show } from '../../app/palette-state.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Logo } from '../../ui/logo.tsx';
import { sidebarItemClass } from './sidebar-state.ts';
import { TableLinks } from './table-links.tsx';

interface BaseSidebarProps {
  base: ResponseOf<typeof getBase>;
  space: Space | undefined;
  tables: readonly Table[];
  tableId: string | undefined;
  /** Into a folder, or at the top. */
  onAddTable: (parentId: string | null) => void;
  onAddFolder: () => void;
  onAddDashboard: () => void;
  onImport: () => void;
  onClose: () => void;
}

export const BaseSidebar = ({
  base,
  space,
  tables,
  tableId,
  onAddTable,
  onAddFolder,
  onAddDashboard,
  onImport,
  onClose,
}: BaseSidebarProps) => (
  <>
    <div className="flex h-13 shrink-0 items-center gap-2 px-3">
      <Link to="/" aria-label="Home" title="Home" className="rounded-lg">
        <Logo />
      </Link>
      <BaseMenu
        base={base}
        trigger={
          <button
            type="button"
            aria-label={`More for ${base.name}`}
            className="flex min-w-0 flex-1 items-center gap-1 rounded-lg px-1.5 py-1 text-left hover:bg-sunken"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate text-[15px] leading-5 font-semibold">{base.name}</span>
            </span>
            <ChevronsUpDown size={14} className="shrink-0 text-ink-faint" aria-hidden />
          </button>
        }
      />
      <IconButton label="Hide the sidebar" onClick={onClose}>
        <PanelLeftClose size={17} />
      </IconButton>
    </div>
    <div className="px-2 pb-2">
      <button
        type="button"
        onClick={() => show('palette')}
        className={`${sidebarItemClass} w-full border border-line bg-surface hover:border-line-strong`}
      >
        <Search size={15} aria-hidden />
        <span className="flex-1 text-left">Find</span>
        <kbd className="font-sans text-[12px] text-ink-faint">Ctrl K</kbd>
      </button>
    </div>
    <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3 [&_:focus-visible]:-outline-offset-2">
      <div className="flex items-center justify-between pr-1 pl-2">
        <h2 className="text-[12px] font-medium text-ink-faint">Tables</h2>
        {allows(standingIn(base), 'base|table_import') && (
          <IconButton label="Import a file" className="ml-auto" onClick={onImport}>
            <FileUp size={15} />
          </IconButton>
        )}
        {allows(standingIn(base), 'base|update') && (
          <IconButton label="New folder" onClick={onAddFolder}>
            <FolderPlus size={15} />
          </IconButton>
        )}
        {allows(standingIn(base), 'base|update') && (
          <IconButton label="New dashboard" onClick={onAddDashboard}>
            <ChartColumn size={15} />
          </IconButton>
        )}
        {allows(standingIn(base), 'table|create') && (
          <IconButton label="New table" onClick={() => onAddTable(null)}>
            <Plus size={16} />
          </IconButton>
        )}
      </div>
      <TableLinks baseId={base.id} tables={tables} tableId={tableId} base={base} onAddTable={onAddTable} />
    </div>
    <nav aria-label="Base" className="shrink-0 border-t border-line p-2">
      <Link
        to="/base/$baseId/people"
        params={{ baseId: base.id }}
        className={`${sidebarItemClass} hover:bg-sunken data-[status=active]:bg-accent-soft data-[status=active]:text-accent`}
      >
        <Users size={16} aria-hidden /> People
      </Link>
      {allows(standingIn(base), 'base|authority_matrix_config') && (
        <Link
          to="/base/$baseId/rights"
          params={{ baseId: base.id }}
          className={`${sidebarItemClass} hover:bg-sunken data-[status=active]:bg-accent-soft data-[status=active]:text-accent`}
        >
          <ShieldCheck size={16} aria-hidden /> Rights
        </Link>
      )}
      <Link
        to="/base/$baseId/map"
        params={{ baseId: base.id }}
        className={`${sidebarItemClass} hover:bg-sunken data-[status=active]:bg-accent-soft data-[status=active]:text-accent`}
      >
        <Network size={16} aria-hidden /> Schema
      </Link>
      <Link
        to="/base/$baseId/automations"
        params={{ baseId: base.id }}
        className={`${sidebarItemClass} hover:bg-sunken data-[status=active]:bg-accent-soft data-[status=active]:text-accent`}
      >
        <Zap size={16} aria-hidden /> Automations
      </Link>
      {allows(standingIn(base), 'automation|update') && (
        <Link
          to="/base/$baseId/webhooks"
          params={{ baseId: base.id }}
          className={`${sidebarItemClass} hover:bg-sunken data-[status=active]:bg-accent-soft data-[status=active]:text-accent`}
        >
          <Webhook size={16} aria-hidden /> Webhooks
        </Link>
      )}
      {space !== undefined && (
        <Link to="/space/$spaceId" params={{ spaceId: space.id }} className={`${sidebarItemClass} hover:bg-sunken`}>
          <span
            aria-hidden
            className="flex size-4 items-center justify-center rounded-[5px] bg-line text-[10px] font-semibold text-ink-soft"
          >
            {[...space.name][0]?.toUpperCase()}
          </span>
          <span className="truncate">{space.name}</span>
        </Link>
      )}
    </nav>
  </>
);
