import { deleteTable, duplicateTable, renameTable, type Table } from '@rowhouse/contract/table.ts';
import { allows, type Standing } from '../app/standing.ts';
import { useNavigate } from '@tanstack/react-router';
import {
  ArrowDown,
  ArrowUp,
  Code,
  CopyPlus,
  Ellipsis,
  FileUp,
  FolderInput,
  Pencil,
  Share2,
  Trash2,
} from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { call } from '../app/call.ts';
import { awayFrom, fromHere } from '../app/from-here.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { forgetTable, reloadTables } from '../record-data/queries.ts';
import { offerRestore } from '../record-data/restore-table.ts';

const ImportIntoDialog = lazy(async () => ({
  default: (await import('../import/import-into-dialog.tsx')).ImportIntoDialog,
}));

const BaseShareDialog = lazy(async () => ({
  default: (await import('../home/base-share-dialog.tsx')).BaseShareDialog,
}));

interface TableMenuProps {
  baseId: string;
  table: Table;
  tables: readonly Table[];
  role: Standing;
  /** Whether its share can be made and ended, which is of the base. */
  mayShare: boolean;
  /** Absent at the ends of the list. */
  onUp?: (() => void) | undefined;
  onDown?: (() => void) | undefined;
  /** Those that it can be moved into. */
  folders?: readonly { id: string; name: string }[];
  onFolder?: (folderId: string) => void;
  startsOpen?: boolean;
}

export const TableMenu = ({
  baseId,
  table,
  tables,
  role,
  mayShare,
  onUp,
  onDown,
  folders = [],
  onFolder,
  startsOpen = false,
}: TableMenuProps) => {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'share' | 'rename' | 'duplicate' | 'import' | 'delete' | null>(null);
  const params = { baseId, tableId: table.id };
  const refresh = (): Promise<void> => reloadTables(baseId);
  const close = (): void => setAsking(null);

  const remove = async (): Promise<void> => {
    await call(deleteTable, { params });
    await forgetTable(params);
    const next = tables.find(({ id }) => id !== table.id);
    await awayFrom(table.id, () =>
      next === undefined
        ? navigate({ to: '/base/$baseId', params: { baseId } })
        : navigate({ to: '/base/$baseId/$tableId', params: { baseId, tableId: next.id } }),
    );
    await refresh();
    offerRestore({ ...params, name: table.name });
  };

  return (
    <>
      <Menu
        startsOpen={startsOpen}
        trigger={
          <button
            type="button"
            aria-label={`More for ${table.name}`}
            className="rounded-md p-1 text-ink-faint hover:bg-surface hover:text-ink"
          >
            <Ellipsis size={15} aria-hidden />
          </button>
        }
      >
        <MenuItem
          icon={<Code size={16} />}
          onSelect={() => void navigate({ to: '/base/$baseId/$tableId/api', params })}
        >
          API of this table
        </MenuItem>
        {allows(role, 'table|update') && (
          <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsking('rename')}>
            Rename
          </MenuItem>
        )}
        {mayShare && (
          <MenuItem icon={<Share2 size={16} />} onSelect={() => setAsking('share')}>
            Share
          </MenuItem>
        )}
        {onUp !== undefined && (
          <MenuItem icon={<ArrowUp size={16} />} onSelect={onUp}>
            Move up
          </MenuItem>
        )}
        {onDown !== undefined && (
          <MenuItem icon={<ArrowDown size={16} />} onSelect={onDown}>
            Move down
          </MenuItem>
        )}
        {folders.map(({ id, name }) => (
          <MenuItem key={id} icon={<FolderInput size={16} />} onSelect={() => onFolder?.(id)}>
            Move into {name}
          </MenuItem>
        ))}
        {allows(role, 'table|create') && (
          <MenuItem icon={<CopyPlus size={16} />} onSelect={() => setAsking('duplicate')}>
            Duplicate
          </MenuItem>
        )}
        {allows(role, 'table|import') && (
          <MenuItem icon={<FileUp size={16} />} onSelect={() => setAsking('import')}>
            Import into this table
          </MenuItem>
        )}
        {allows(role, 'table|delete') && (
          <>
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setAsking('delete')}>
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {asking === 'share' && (
        <Suspense>
          <BaseShareDialog
            baseId={baseId}
            what="table"
            name={table.name}
            nodeId={`bno${table.id.slice(3)}`}
            onClose={close}
          />
        </Suspense>
      )}
      {asking === 'import' && (
        <Suspense>
          <ImportIntoDialog baseId={baseId} table={table} role={role} onClose={close} />
        </Suspense>
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={`Delete table ${table.name}?`}
          description="It goes to the trash with its records, fields and views; you can restore it from there."
          action="Delete table"
          onClose={close}
          onConfirm={remove}
        />
      )}
      {asking === 'rename' && (
        <NameDialog
          title="Rename table"
          initial={table.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(renameTable, { params, body: { name } });
            await refresh();
          }}
        />
      )}
      {asking === 'duplicate' && (
        <NameDialog
          title="Duplicate table with its records"
          label="Name of the copy"
          initial={`${table.name} copy`}
          action="Duplicate"
          onClose={close}
          onSubmit={async (name) => {
            const leadOn = fromHere();
            const copy = await call(duplicateTable, { params, body: { name, includeRecords: true } });
            await refresh();
            await leadOn(() => navigate({ to: '/base/$baseId/$tableId', params: { baseId, tableId: copy.id } }));
          }}
        />
      )}
    </>
  );
};
