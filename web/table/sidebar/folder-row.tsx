import { allows, type Standing } from '../../app/standing.ts';
import { deleteFolder, renameFolder } from '@rowhouse/contract/node.ts';
import {
  ArrowDown,
  ArrowUp,
  ChevronRight,
  Ellipsis,
  Folder,
  FolderOpen,
  Pencil,
  Plus,
  Share2,
  Trash2,
} from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { call } from '../../app/call.ts';
import { reloadTables } from '../../record-data/queries.ts';
import { classNames } from '../../ui/class-names.ts';
import { Menu, MenuItem, menuRow, MenuSeparator } from '../../ui/menu.tsx';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { showProblem } from '../../ui/toast.ts';
import { toggleFolder } from './closed-folders.ts';
import type { OutlineRow } from './outline.ts';
import { sidebarItemClass } from './sidebar-state.ts';

const BaseShareDialog = lazy(async () => ({
  default: (await import('../../home/base-share-dialog.tsx')).BaseShareDialog,
}));

interface FolderRowProps {
  baseId: string;
  row: OutlineRow & { folder: NonNullable<OutlineRow['folder']> };
  role: Standing;
  onAddTable: (parentId: string) => void;
  /** Absent at the ends. */
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

export const FolderRow = ({ baseId, row: { id, name, folder }, role, onAddTable, onUp, onDown }: FolderRowProps) => {
  const [isRenaming, setRenaming] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const params = { baseId, folderId: folder.id };
  const remove = async (): Promise<void> => {
    try {
      await call(deleteFolder, { params });
    } catch (error) {
      showProblem(error, 'The folder was not deleted.');
    }
    await reloadTables(baseId);
  };
  const Icon = folder.isOpen ? FolderOpen : Folder;
  return (
    <div {...menuRow} className="group flex items-center rounded-lg pr-1 hover:bg-sunken">
      <button
        type="button"
        aria-expanded={folder.isOpen}
        onClick={() => toggleFolder(folder.id, !folder.isOpen)}
        className={classNames(sidebarItemClass, 'text-left')}
      >
        <span className="flex w-4 shrink-0 justify-center text-ink-faint" aria-hidden>
          <Icon size={16} className="group-hover:hidden" />
          <ChevronRight size={16} className={classNames('hidden group-hover:block', folder.isOpen && 'rotate-90')} />
        </span>
        <span className="truncate">{name}</span>
        {!folder.isOpen && <span className="text-[12px] text-ink-faint">{folder.count}</span>}
      </button>
      {allows(role, 'base|update') && (
        <Menu
          trigger={
            <button
              type="button"
              aria-label={`More for folder ${name}`}
              className="rounded-md p-1 text-ink-faint opacity-0 group-hover:opacity-100 hover:bg-surface hover:text-ink focus-visible:opacity-100 data-[state=open]:opacity-100 [@media(hover:none)]:opacity-100"
            >
              <Ellipsis size={15} aria-hidden />
            </button>
          }
        >
          {allows(role, 'table|create') && (
            <MenuItem icon={<Plus size={16} />} onSelect={() => onAddTable(id)}>
              New table here
            </MenuItem>
          )}
          <MenuItem icon={<Pencil size={16} />} onSelect={() => setRenaming(true)}>
            Rename
          </MenuItem>
          <MenuItem icon={<Share2 size={16} />} onSelect={() => setSharing(true)}>
            Share
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
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => void remove()}>
            {folder.count === 0 ? 'Delete folder' : 'Delete folder, keep what is in it'}
          </MenuItem>
        </Menu>
      )}
      {isSharing && (
        <Suspense>
          <BaseShareDialog baseId={baseId} what="folder" name={name} nodeId={id} onClose={() => setSharing(false)} />
        </Suspense>
      )}
      {isRenaming && (
        <NameDialog
          title="Rename folder"
          initial={name}
          action="Rename"
          onClose={() => setRenaming(false)}
          onSubmit={async (next) => {
            await call(renameFolder, { params, body: { name: next } });
            await reloadTables(baseId);
          }}
        />
      )}
    </div>
  );
};
