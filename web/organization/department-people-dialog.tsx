// Who is in a department: those whom somebody or a provider has put into it, and those of departments inside of it.
import { addDepartmentUsers, removeDepartmentUsers } from '@rowhouse/contract/department.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { MultiSelect } from '../ui/multi-select.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { departmentPeopleQuery, membersQuery, reload } from './queries.ts';

interface PeopleProps {
  organizationId: string;
  department: { id: string; name: string };
  onClose: () => void;
}

export const DepartmentPeopleDialog = ({ organizationId, department, onClose }: PeopleProps) => {
  const params = { organizationId };
  const people = useQuery(departmentPeopleQuery(organizationId, department.id));
  const members = useQuery(membersQuery(organizationId, ''));
  const [chosen, setChosen] = useState<string[]>([]);
  const add = useMutation({
    mutationFn: () => call(addDepartmentUsers, { params, body: { departmentIds: [department.id], userIds: chosen } }),
    onSuccess: async () => {
      setChosen([]);
      await reload();
    },
  });
  const remove = useMutation({
    mutationFn: (userId: string) =>
      call(removeDepartmentUsers, { params, query: { departmentId: department.id, userIds: [userId] } }),
    onSettled: reload,
  });
  const users = people.data?.users ?? [];
  const isDirect = ({ departments }: { departments: readonly { id: string }[] }): boolean =>
    departments.some(({ id }) => id === department.id);
  const direct = new Set(users.filter(isDirect).map(({ id }) => id));
  const offered = (members.data?.users ?? []).filter(({ id }) => !direct.has(id));
  return (
    <Dialog
      open
      onClose={onClose}
      title={`People in ${department.name}`}
      description="They may do what this department may do, and those around it."
    >
      <div className="flex flex-col gap-4">
        <ProblemNote error={people.error ?? members.error ?? add.error ?? remove.error} />
        <div className="flex items-center gap-2">
          <div className="min-w-0 flex-1">
            <MultiSelect
              label="People to add"
              placeholder="Choose people…"
              values={chosen}
              options={offered.map(({ id, name, email }) => ({ value: id, label: name, note: email }))}
              onValues={setChosen}
            />
          </div>
          <Button look="primary" busy={add.isPending} disabled={chosen.length === 0} onClick={() => add.mutate()}>
            Add
          </Button>
        </div>
        {people.isPending && <Loading />}
        {people.data !== undefined && users.length === 0 && (
          <p className="text-ink-soft">Nobody is in this department yet.</p>
        )}
        <ul className="divide-y divide-line">
          {users.map((person) => (
            <li key={person.id} className="flex items-center gap-3 py-2.5">
              <Avatar name={person.name} seed={person.id} picture={person.avatar ?? null} />
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{person.name}</p>
                <p className="truncate text-[13px] text-ink-soft">{person.email}</p>
              </div>
              {isDirect(person) ? (
                <Button
                  size="small"
                  look="ghost"
                  disabled={remove.isPending}
                  aria-label={`Remove ${person.name}`}
                  onClick={() => remove.mutate(person.id)}
                >
                  Remove
                </Button>
              ) : (
                <p className="truncate text-[13px] text-ink-soft">
                  in {person.departments.map(({ name }) => name).join(', ')}
                </p>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
};
