// As whom to view the base: one of its people, or one of its roles.
import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useMe } from '../../app/me.ts';
import { beginViewing } from '../../app/viewing.ts';
import { peopleQuery } from '../../record-data/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import type { AuthorityRole } from './queries.ts';

interface ViewAsProps {
  baseId: string;
  roles: readonly AuthorityRole[];
  onClose: () => void;
}

const List = ({
  title,
  items,
  baseId,
}: {
  title: string;
  items: readonly { id: string; name: string; note?: string }[];
  baseId: string;
}) => (
  <section>
    <h3 className="mb-1 text-[13px] font-medium text-ink-soft">{title}</h3>
    <ul className="divide-y divide-line rounded-lg border border-line">
      {items.map(({ id, name, note }) => (
        <li key={id}>
          <button
            type="button"
            className="flex w-full items-center gap-3 px-3 py-2 text-left hover:bg-sunken"
            onClick={() => beginViewing({ baseId, as: id, name })}
          >
            <Eye size={16} className="shrink-0 text-ink-faint" aria-hidden />
            <span className="min-w-0">
              <span className="block truncate">{name}</span>
              {note !== undefined && <span className="block truncate text-[13px] text-ink-soft">{note}</span>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  </section>
);

export const ViewAsDialog = ({ baseId, roles, onClose }: ViewAsProps) => {
  const people = useQuery(peopleQuery(baseId));
  const { id: ownId } = useMe();
  const others = (people.data?.users ?? []).filter(({ id }) => id !== ownId);
  return (
    <Dialog
      open
      onClose={onClose}
      title="View as"
      description="The base as somebody else has it in front of them. You can look at everything and change nothing."
    >
      <div className="flex flex-col gap-4">
        <ProblemNote error={people.error} />
        {people.isPending && <Loading />}
        {others.length > 0 && (
          <List
            title="People"
            baseId={baseId}
            items={others.map(({ id, name, email }) => ({ id, name, ...(email === '' ? {} : { note: email }) }))}
          />
        )}
        {roles.length > 0 && <List title="Roles" baseId={baseId} items={roles} />}
      </div>
    </Dialog>
  );
};
