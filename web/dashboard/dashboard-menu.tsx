// What can be done with a dashboard as a whole: in the sidebar, and on its page.
import { deleteDashboard, duplicateDashboard, renameDashboard } from '@rowhouse/contract/dashboard.ts';
import { useNavigate } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, CopyPlus, Ellipsis, FolderInput, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { awayFrom, fromHere } from '../app/from-here.ts';
import { reloadTables } from '../record-data/queries.ts';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { showProblem } from '../ui/toast.ts';
import { reloadDashboard } from './queries.ts';
import { offerDashboard } from './restore-dashboard.ts';

interface DashboardMenuProps {
  baseId: string;
  dashboard: { id: string; name: string };
  onUp?: (() => void) | undefined;
  onDown?: (() => void) | undefined;
  folders?: readonly { id: string; name: string }[];
  onFolder?: (folderId: string) => void;
  startsOpen?: boolean;
}

export const DashboardMenu = ({
  baseId,
  dashboard: { id, name },
  onUp,
  onDown,
  folders = [],
  onFolder,
  startsOpen = false,
}: DashboardMenuProps) => {
  const navigate = useNavigate();
  const [isRenaming, setRenaming] = useState(false);
  const reload = async (): Promise<void> => {
    await Promise.all([reloadTables(baseId), reloadDashboard(baseId, id)]);
  };
  const duplicate = async (): Promise<void> => {
    const leadOn = fromHere();
    try {
      const copy = await call(duplicateDashboard, { params: { baseId, dashboardId: id }, body: {} });
      await reload();
      await leadOn(() =>
        navigate({ to: '/base/$baseId/dashboard/$dashboardId', params: { baseId, dashboardId: copy.id } }),
      );
    } catch (error) {
      showProblem(error, 'The dashboard was not duplicated.');
    }
  };
  const remove = async (): Promise<void> => {
    try {
      await call(deleteDashboard, { params: { baseId, dashboardId: id } });
    } catch (error) {
      return showProblem(error, 'The dashboard was not deleted.');
    }
    await awayFrom(id, () => navigate({ to: '/base/$baseId', params: { baseId } }));
    await reloadTables(baseId);
    offerDashboard({ baseId, id, name });
  };
  return (
    <>
      <Menu
        align="end"
        startsOpen={startsOpen}
        trigger={
          <button
            type="button"
            aria-label={`More for ${name}`}
            className="rounded-md p-1 text-ink-faint hover:bg-sunken hover:text-ink"
          >
            <Ellipsis size={15} aria-hidden />
          </button>
        }
      >
        <MenuItem icon={<Pencil size={16} />} onSelect={() => setRenaming(true)}>
          Rename
        </MenuItem>
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
        {folders.map((folder) => (
          <MenuItem key={folder.id} icon={<FolderInput size={16} />} onSelect={() => onFolder?.(folder.id)}>
            Move into {folder.name}
          </MenuItem>
        ))}
        <MenuItem icon={<CopyPlus size={16} />} onSelect={() => void duplicate()}>
          Duplicate
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => void remove()}>
          Delete
        </MenuItem>
      </Menu>
      {isRenaming && (
        <NameDialog
          title="Rename dashboard"
          initial={name}
          action="Rename"
          onClose={() => setRenaming(false)}
          onSubmit={async (next) => {
            await call(renameDashboard, { params: { baseId, dashboardId: id }, body: { name: next } });
            await reload();
          }}
        />
      )}
    </>
  );
};
