import { removeSpaceCollaborator, updateSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { allows, rank, type Role } from '@rowhouse/contract/permission.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { membersQuery } from './members-query.ts';
import { roleNames, rolesUpTo } from './role-words.ts';

export const MembersSection = ({ spaceId, role }: { spaceId: string; role: Role }) => {
  const me = useMe();
  const navigate = useNavigate();
  const members = useQuery(membersQuery(spaceId));
  const params = { spaceId };
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ predicate: ({ queryKey }) => ['members', 'spaces', 'bases'].includes(String(queryKey[0])) });
  const change = useMutation({
    mutationFn: (next: { userId: string; role: Role }) => call(updateSpaceCollaborator, { params, body: { principalId: next.userId, principalType: 'user', role: next.role } }),
    onSettled: refresh,
  });
  const [leaving, setLeaving] = useState<{ userId: string; userName: string } | null>(null);
  const remove = async (userId: string): Promise<void> => {
    await call(removeSpaceCollaborator, { params, query: { principalId: userId, principalType: 'user' } });
    if (userId === me.id) await navigate({ to: '/' });
    await refresh();
  };

  return (
    <Section title="People" lead="Who is in this space, and what they may do.">
      <ProblemNote error={members.error ?? change.error} />
      {members.isPending && <Loading />}
      <ul className="divide-y divide-line">
        {members.data?.collaborators.map((member) => {
          const isMe = member.userId === me.id;
          const mayChange = allows(role, 'space|grant_role') && !change.isPending;
          return (
            <li key={member.userId} className="flex flex-wrap items-center gap-3 py-3">
              <Avatar name={member.userName} seed={member.userId} />
              <div className="min-w-0 flex-1 basis-40">
                <p className="truncate font-medium">
                  {member.userName} {isMe && <span className="font-normal text-ink-faint">(you)</span>}
                </p>
                <p className="truncate text-[13px] text-ink-faint">{member.email}</p>
              </div>
              <SelectField
                label={`Role of ${member.userName}`}
                hideLabel
                className="w-36"
                value={member.role}
                disabled={!mayChange}
                options={rolesUpTo('owner').map((value) => ({ value, label: roleNames[value] }))}
                onValue={(next) => change.mutate({ userId: member.userId, role: next as Role })}
              />
              <Button size="small" look="ghost" className="w-20" disabled={!isMe && role !== 'owner' && rank(role) >= rank(member.role)} onClick={() => setLeaving(member)} aria-label={isMe ? 'Leave the space' : `Remove ${member.userName}`}>
                {isMe ? 'Leave' : 'Remove'}
              </Button>
            </li>
          );
        })}
      </ul>
      {leaving !== null && (
        <ConfirmDialog
          title={leaving.userId === me.id ? 'Leave this space?' : `Remove ${leaving.userName}?`}
          description={leaving.userId === me.id ? 'You lose access to its bases at once; only an owner can let you in again.' : 'Access to the space and its bases ends at once. What was written stays.'}
          action={leaving.userId === me.id ? 'Leave space' : 'Remove from space'}
          onClose={() => setLeaving(null)}
          onConfirm={() => remove(leaving.userId)}
        />
      )}
    </Section>
  );
};
