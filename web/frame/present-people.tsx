import { useMe } from '../app/me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { colorOf } from '../app/presence/cells.ts';
import { usePresent } from '../app/presence/present.ts';

const shownAtMost = 4;

/** Who else has the table open, as avatars. Nothing when nobody has. */
export const PresentPeople = ({ tableId }: { tableId: string }) => {
  const me = useMe();
  const others = usePresent(tableId).filter(({ id }) => id !== me.id);
  if (others.length === 0) return null;
  const shown = others.slice(0, others.length > shownAtMost ? shownAtMost - 1 : shownAtMost);
  const rest = others.slice(shown.length);
  return (
    <ul aria-label="Also here" className="flex shrink-0 items-center -space-x-1.5">
      {shown.map(({ id, name, avatar }) => (
        <li
          key={id}
          title={`${name} is here`}
          className="rounded-full border-2 bg-surface"
          style={{ borderColor: colorOf(id) }}
        >
          <Avatar name={name} seed={id} picture={avatar} small />
          <span className="sr-only">{name}</span>
        </li>
      ))}
      {rest.length > 0 && (
        <li
          title={rest.map(({ name }) => name).join(', ')}
          className="flex size-6 items-center justify-center rounded-full bg-sunken text-[10px] font-semibold text-ink-soft ring-2 ring-surface"
        >
          <span aria-hidden>+{rest.length}</span>
          <span className="sr-only">{rest.map(({ name }) => name).join(', ')}</span>
        </li>
      )}
    </ul>
  );
};
