import { deleteBase, updateBase } from '@rowhouse/contract/base.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArchiveRestore, Database, Ellipsis, Pencil, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { hueOf } from '../ui/avatar.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { SqlAccessDialog } from './sql-access-dialog.tsx';

export interface BaseCardProps {
  base: { id: string; name: string; icon: string | null; role: Role };
  note?: string;
}

const refresh = (): Promise<void> => queryClient.invalidateQueries({ predicate: ({ queryKey }) => ['bases', 'base', 'trash'].includes(String(queryKey[0])) });

export const BaseCard = ({ base, note }: BaseCardProps) => {
  const [asking, setAsking] = useState<'rename' | 'sql' | 'delete' | null>(null);
  const navigate = useNavigate();
  const close = (): void => setAsking(null);
  const hue = hueOf(base.id);

  return (
    <li className="group relative flex items-center gap-3 rounded-xl border border-line bg-surface p-3.5 shadow-card transition-colors hover:border-line-strong hover:bg-raised">
      <span
        aria-hidden
        className="flex size-10 shrink-0 items-center justify-center rounded-lg text-[17px] font-semibold"
        style={{ background: `oklch(0.9 0.06 ${hue})`, color: `oklch(0.36 0.09 ${hue})` }}
      >
        {base.icon ?? [...base.name][0]?.toUpperCase()}
      </span>
      <div className="min-w-0 flex-1">
        <Link to="/base/$baseId" params={{ baseId: base.id }} className="block truncate font-medium after:absolute after:inset-0 after:rounded-xl">
          {base.name}
        </Link>
        <p className="truncate text-[13px] text-ink-faint">{note ?? `You are ${base.role === 'owner' || base.role === 'editor' ? 'an' : 'a'} ${base.role}`}</p>
      </div>
      {allows(base.role, 'base|update') && (
        <div className="relative z-10">
          <Menu
            align="end"
            trigger={
              <IconButton label={`More for ${base.name}`}>
                <Ellipsis size={17} />
              </IconButton>
            }
          >
            <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsking('rename')}>
              Rename
            </MenuItem>
            <MenuItem icon={<Users size={16} />} onSelect={() => void navigate({ to: '/base/$baseId/people', params: { baseId: base.id } })}>
              People
            </MenuItem>
            {allows(base.role, 'base|db_connection') && (
              <MenuItem icon={<Database size={16} />} onSelect={() => setAsking('sql')}>
                SQL access
              </MenuItem>
            )}
            <MenuItem icon={<ArchiveRestore size={16} />} onSelect={() => void navigate({ to: '/trash', search: { base: base.id } })}>
              Deleted tables
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setAsking('delete')}>
              Delete
            </MenuItem>
          </Menu>
        </div>
      )}
      {asking === 'rename' && (
        <NameDialog
          title="Rename base"
          initial={base.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(updateBase, { params: { baseId: base.id }, body: { name } });
            await refresh();
          }}
        />
      )}
      {asking === 'sql' && <SqlAccessDialog base={base} onClose={close} />}
      {asking === 'delete' && (
        <ConfirmDialog
          title={`Delete ${base.name}?`}
          description="It goes to the trash with its tables; you can restore it from there."
          action="Delete base"
          onClose={close}
          onConfirm={async () => {
            await call(deleteBase, { params: { baseId: base.id } });
            await refresh();
          }}
        />
      )}
    </li>
  );
};
