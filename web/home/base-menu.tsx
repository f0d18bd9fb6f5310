// What can be done with a base, wherever it is named.
import { deleteBase, updateBase } from '@rowhouse/contract/base.ts';
import type { Role } from '@rowhouse/contract/permission.ts';
import { allows, standingIn } from '../app/standing.ts';
import { useNavigate } from '@tanstack/react-router';
import {
  ArchiveRestore,
  CopyPlus,
  Database,
  Download,
  LayoutTemplate,
  Network,
  Pencil,
  Share2,
  ShieldCheck,
  Star,
  StarOff,
  Trash2,
  Users,
} from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { awayFrom } from '../app/from-here.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { saveBase } from './base-file.ts';
import { DuplicateBaseDialog } from './duplicate-base-dialog.tsx';
import { useFavourites } from './favourites.ts';
import { SqlAccessDialog } from './sql-access-dialog.tsx';
import { SaveAsTemplate } from './template/save-as-template.tsx';

const BaseShareDialog = lazy(async () => ({ default: (await import('./base-share-dialog.tsx')).BaseShareDialog }));

interface BaseMenuProps {
  base: { id: string; name: string; role: Role; isBound?: true | undefined };
  trigger: ReactNode;
  align?: 'start' | 'end';
}

const refresh = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ['bases', 'base', 'trash'].includes(String(queryKey[0])),
  });

export const BaseMenu = ({ base, trigger, align = 'start' }: BaseMenuProps) => {
  const [asking, setAsking] = useState<'rename' | 'duplicate' | 'share' | 'sql' | 'template' | 'delete' | null>(null);
  const navigate = useNavigate();
  const { isAdmin } = useMe();
  const { isFavourite, toggle } = useFavourites();
  const close = (): void => setAsking(null);
  const params = { baseId: base.id };

  return (
    <>
      <Menu align={align} trigger={trigger}>
        <MenuItem
          icon={isFavourite(base.id) ? <StarOff size={16} /> : <Star size={16} />}
          onSelect={() => toggle(base.id)}
        >
          {isFavourite(base.id) ? 'Remove from favourites' : 'Add to favourites'}
        </MenuItem>
        <MenuItem icon={<Users size={16} />} onSelect={() => void navigate({ to: '/base/$baseId/people', params })}>
          People
        </MenuItem>
        {allows(standingIn(base), 'base|authority_matrix_config') && (
          <MenuItem
            icon={<ShieldCheck size={16} />}
            onSelect={() => void navigate({ to: '/base/$baseId/rights', params })}
          >
            Rights
          </MenuItem>
        )}
        {allows(standingIn(base), 'base|update') && (
          <MenuItem icon={<Share2 size={16} />} onSelect={() => setAsking('share')}>
            Share
          </MenuItem>
        )}
        <MenuItem icon={<Network size={16} />} onSelect={() => void navigate({ to: '/base/$baseId/map', params })}>
          Schema
        </MenuItem>
        {allows(standingIn(base), 'base|update') && (
          <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsking('rename')}>
            Rename
          </MenuItem>
        )}
        {allows(standingIn(base), 'base|table_export') && (
          <MenuItem icon={<CopyPlus size={16} />} onSelect={() => setAsking('duplicate')}>
            Duplicate
          </MenuItem>
        )}
        {allows(standingIn(base), 'base|update') && (
          <MenuItem icon={<Download size={16} />} onSelect={() => void saveBase(base)}>
            Export as a file
          </MenuItem>
        )}
        {isAdmin && (
          <MenuItem icon={<LayoutTemplate size={16} />} onSelect={() => setAsking('template')}>
            Save as template
          </MenuItem>
        )}
        {allows(standingIn(base), 'base|db_connection') && (
          <MenuItem icon={<Database size={16} />} onSelect={() => setAsking('sql')}>
            SQL access
          </MenuItem>
        )}
        {allows(standingIn(base), 'table|delete') && (
          <MenuItem
            icon={<ArchiveRestore size={16} />}
            onSelect={() => void navigate({ to: '/trash', search: { base: base.id } })}
          >
            Deleted tables
          </MenuItem>
        )}
        {allows(standingIn(base), 'base|delete') && (
          <>
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setAsking('delete')}>
              Delete base
            </MenuItem>
          </>
        )}
      </Menu>
      {asking === 'rename' && (
        <NameDialog
          title="Rename base"
          initial={base.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(updateBase, { params, body: { name } });
            await refresh();
          }}
        />
      )}
      {asking === 'duplicate' && <DuplicateBaseDialog base={base} onClose={close} />}
      {asking === 'share' && (
        <Suspense>
          <BaseShareDialog baseId={base.id} what="base" name={base.name} nodeId={null} onClose={close} />
        </Suspense>
      )}
      {asking === 'sql' && <SqlAccessDialog base={base} onClose={close} />}
      {asking === 'template' && <SaveAsTemplate base={base} onClose={close} />}
      {asking === 'delete' && (
        <ConfirmDialog
          title={`Delete ${base.name}?`}
          description="It goes to the trash with its tables; you can restore it from there."
          action="Delete base"
          onClose={close}
          onConfirm={async () => {
            await call(deleteBase, { params });
            await awayFrom(base.id, () => navigate({ to: '/' }));
            await refresh();
          }}
        />
      )}
    </>
  );
};
