// People and their roles, on a space or on a base.
import type { Role } from '@rowhouse/contract/permission.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMe } from '../app/me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { roleNames } from './role-words.ts';

interface ListedPerson {
  userId: string;
  userName: string;
  email: string;
  avatar?: string | null;
  role: Role;
}

interface PeopleListProps<Person extends ListedPerson> {
  /** A word for where they are: space, base. */
  where: string;
  people: readonly Person[];
  roles: readonly Role[];
  mayChange: (person: Person) => boolean;
  mayRemove: (person: Person) => boolean;
  /** Of someone whose role is given elsewhere: where. */
  elsewhere?: (person: Person) => string | undefined;
  onRole: (userId: string, role: Role) => Promise<unknown>;
  onRemove: (userId: string) => Promise<unknown>;
}

export const PeopleList = <Person extends ListedPerson>({
  where,
  people,
  roles,
  mayChange,
  mayRemove,
  elsewhere,
  onRole,
  onRemove,
}: PeopleListProps<Person>) => {
  const me = useMe();
  const change = useMutation({ mutationFn: (next: { userId: string; role: Role }) => onRole(next.userId, next.role) });
  const [leaving, setLeaving] = useState<ListedPerson | null>(null);
  const isLeavingMe = leaving?.userId === me.id;

  return (
    <>
      <ProblemNote error={change.error} />
      <ul className="divide-y divide-line">
        {people.map((person) => {
          const isMe = person.userId === me.id;
          const place = elsewhere?.(person);
          return (
            <li key={`${person.userId} ${place ?? ''}`} className="flex flex-wrap items-center gap-3 py-3">
              <Avatar name={person.userName} seed={person.userId} picture={person.avatar} />
              <div className="min-w-0 flex-1 basis-40">
                <p className="truncate font-medium">
                  {person.userName} {isMe && <span className="font-normal text-ink-faint">(you)</span>}
                </p>
                <p className="truncate text-[13px] text-ink-faint">{person.email}</p>
              </div>
              {place === undefined ? (
                <>
                  <SelectField
                    label={`Role of ${person.userName}`}
                    hideLabel
                    className="w-36"
                    value={person.role}
                    disabled={change.isPending || !mayChange(person)}
                    options={[...new Set([...roles, person.role])].map((value) => ({ value, label: roleNames[value] }))}
                    onValue={(next) => change.mutate({ userId: person.userId, role: next as Role })}
                  />
                  <Button
                    size="small"
                    look="ghost"
                    className="ml-auto w-20"
                    disabled={!isMe && !mayRemove(person)}
                    onClick={() => setLeaving(person)}
                    aria-label={isMe ? `Leave the ${where}` : `Remove ${person.userName}`}
                  >
                    {isMe ? 'Leave' : 'Remove'}
                  </Button>
                </>
              ) : (
                <p className="text-[13px] text-ink-soft">
                  {roleNames[person.role]} {place}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {leaving !== null && (
        <ConfirmDialog
          title={isLeavingMe ? `Leave this ${where}?` : `Remove ${leaving.userName}?`}
          description={
            isLeavingMe
              ? `You lose access to this ${where} immediately. Someone in it would have to invite you again.`
              : 'They lose access immediately. What they wrote stays.'
          }
          action={isLeavingMe ? `Leave ${where}` : `Remove from ${where}`}
          onClose={() => setLeaving(null)}
          onConfirm={async () => void (await onRemove(leaving.userId))}
        />
      )}
    </>
  );
};
