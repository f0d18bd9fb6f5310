// Who is in a group: people whom somebody put into it, and those who are in a group inside of it.
import { addGroupMembers, removeGroupMembers } from '@rowhouse/contract/group.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { MultiSelect } from '../ui/multi-select.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { everybodyQuery, groupPeopleQuery } from './queries.ts';

interface GroupMembersProps {
  spaceId: string;
  group: { id: string; name: string };
  mayChange: boolean;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

export const GroupMembersDialog = ({ spaceId, group, mayChange, onChanged, onClose }: GroupMembersProps) => {
  const params = { spaceId, groupId: group.id };
  const people = useQuery(groupPeopleQuery(group.id));
  const everybody = useQuery({ ...everybodyQuery(spaceId), enabled: mayChange });
  const [chosen, setChosen] = useState<string[]>([]);
  const add = useMutation({
    mutationFn: () => call(addGroupMembers, { params, body: { userIds: chosen } }),
    onSuccess: async () => {
      setChosen([]);
      await onChanged();
    },
  });
  const remove = useMutation({
    mutationFn: (userId: string) => call(removeGroupMembers, { params, query: { userIds: [userId] } }),
    onSettled: onChanged,
  });
  const isDirect = (person: { departments: readonly { id: string }[] }): boolean =>
    person.departments.some(({ id }) => id === group.id);
  const direct = new Set((people.data ?? []).filter(isDirect).map(({ id }) => id));
  const offered = (everybody.data ?? []).filter(({ userId }) => !direct.has(userId));
  return (
    <Dialog
      open
      onClose={onClose}
      title={`People in ${group.name}`}
      description="They have the roles of this group, and of the groups around it."
    >
      <div className="flex flex-col gap-4">
        <ProblemNote error={people.error ?? add.error ?? remove.error ?? everybody.error} />
        {mayChange && (
          <div className="flex items-center gap-2">
            <div className="min-w-0 flex-1">
              <MultiSelect
                label="People to add"
                placeholder="Choose people…"
                values={chosen}
                options={offered.map(({ userId, userName, email }) => ({
                  value: userId,
                  label: userName,
                  ...(email === '' ? {} : { note: email }),
                }))}
                onValues={setChosen}
              />
            </div>
            <Button look="primary" busy={add.isPending} disabled={chosen.length === 0} onClick={() => add.mutate()}>
              Add
            </Button>
          </div>
        )}
        {people.isPending && <Loading />}
        {people.data?.length === 0 && <p className="text-ink-soft">Nobody is in this group yet.</p>}
        <ul className="divide-y divide-line">
          {people.data?.map((person) => (
            <li key={person.id} className="flex items-center gap-3 py-2.5">
              <Avatar name={person.name} seed={person.id} picture={person.avatar ?? null} />
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{person.name}</p>
                <p className="truncate text-[13px] text-ink-faint">{person.email}</p>
              </div>
              {!isDirect(person) ? (
                <p className="truncate text-[13px] text-ink-soft">
                  in {person.departments.map(({ name }) => name).join(', ')}
                </p>
              ) : (
                mayChange && (
                  <Button
                    size="small"
                    look="ghost"
                    disabled={remove.isPending}
                    aria-label={`Remove ${person.name}`}
                    onClick={() => remove.mutate(person.id)}
                  >
                    Remove
                  </Button>
                )
              )}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
};
