import { allows } from '@rowhouse/contract/permission.ts';
import { deleteSpace, updateSpace } from '@rowhouse/contract/space.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis, FileUp, Pencil, Plus, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { fromHere } from '../app/from-here.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { showProblem } from '../ui/toast.ts';
import { BaseCard } from './base-card.tsx';
import { openBaseFile } from './base-file.ts';
import { useSortable } from '../ui/use-sortable.ts';
import { NewBaseDialog } from './new-base-dialog.tsx';
import { placeBase } from './place-base.ts';
import type { Base, Space } from './spaces-query.ts';

type Asking = 'base' | 'rename' | 'delete' | null;

const refresh = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ['spaces', 'bases', 'trash'].includes(String(queryKey[0])),
  });

interface SpaceSectionProps {
  space: Space;
  bases: Base[];
  /** In place of the name, on the page of the space itself. */
  title?: string;
}

export const SpaceSection = ({ space, bases, title }: SpaceSectionProps) => {
  const [asking, setAsking] = useState<Asking>(null);
  const navigate = useNavigate();
  const close = (): void => setAsking(null);
  const mayCreate = allows(space.role, 'base|create');
  const { propsOf } = useSortable({
    ids: bases.map(({ id }) => id),
    nameOf: (id) => bases.find((base) => base.id === id)?.name ?? '',
    isHorizontal: true,
    onMove: allows(space.role, 'base|update') ? (id, to) => void placeBase(id, to) : undefined,
  });
  const importFile = async (): Promise<void> => {
    const leadOn = fromHere();
    try {
      const baseId = await openBaseFile(space.id);
      if (baseId !== undefined) await leadOn(() => navigate({ to: '/base/$baseId', params: { baseId } }));
    } catch (error) {
      showProblem(error, 'The base was not imported.');
    }
  };

  return (
    <section aria-labelledby={`name-${space.id}`}>
      <div className="mb-3 flex items-center gap-1.5">
        <h2 id={`name-${space.id}`} className="min-w-0 truncate text-[15px] font-semibold">
          {title ?? (
            <Link to="/space/$spaceId" params={{ spaceId: space.id }} className="hover:text-accent">
              {space.name}
            </Link>
          )}
        </h2>
        <Menu
          trigger={
            <IconButton label={`More for ${space.name}`}>
              <Ellipsis size={17} />
            </IconButton>
          }
        >
          <MenuItem
            icon={<Users size={16} />}
            onSelect={() => void navigate({ to: '/space/$spaceId', params: { spaceId: space.id } })}
          >
            People
          </MenuItem>
          {mayCreate && (
            <MenuItem icon={<FileUp size={16} />} onSelect={() => void importFile()}>
              Import a base
            </MenuItem>
          )}
          {allows(space.role, 'space|update') && (
            <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsking('rename')}>
              Rename
            </MenuItem>
          )}
          {allows(space.role, 'space|delete') && (
            <>
              <MenuSeparator />
              <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setAsking('delete')}>
                Delete
              </MenuItem>
            </>
          )}
        </Menu>
        <div className="flex-1" />
        {mayCreate && (
          <Button
            size="small"
            look="ghost"
            icon={<Plus size={16} />}
            onClick={() => setAsking('base')}
            aria-label={`New base in ${space.name}`}
          >
            New base
          </Button>
        )}
      </div>
      {bases.length === 0 ? (
        <p className="rounded-xl border border-dashed border-line-strong px-5 py-6 text-ink-soft">
          {mayCreate ? 'No bases yet. Create one with “New base”.' : 'No bases yet.'}
        </p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-3">
          {bases.map((base) => (
            <BaseCard key={base.id} base={base} sorting={propsOf(base.id)} />
          ))}
        </ul>
      )}
      {asking === 'base' && <NewBaseDialog spaces={[space]} onClose={close} />}
      {asking === 'rename' && (
        <NameDialog
          title="Rename space"
          initial={space.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(updateSpace, { params: { spaceId: space.id }, body: { name } });
            await refresh();
          }}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={`Delete ${space.name}?`}
          description="It goes to the trash with its bases; you can restore it from there."
          action="Delete space"
          onClose={close}
          onConfirm={async () => {
            await call(deleteSpace, { params: { spaceId: space.id } });
            await refresh();
          }}
        />
      )}
    </section>
  );
};
