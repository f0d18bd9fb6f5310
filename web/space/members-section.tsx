import { removeSpaceCollaborator, updateSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { allows, rank, type Role } from '@rowhouse/contract/permission.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { awayFrom } from '../app/from-here.ts';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { membersQuery } from './queries.ts';
import { PeopleList } from './people-list.tsx';
import { rolesUpTo } from './role-words.ts';

export const MembersSection = ({ spaceId, role }: { spaceId: string; role: Role }) => {
  const me = useMe();
  const navigate = useNavigate();
  const members = useQuery(membersQuery(spaceId));
  const params = { spaceId };
  const refresh = (): Promise<void> =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => ['members', 'spaces', 'bases'].includes(String(queryKey[0])),
    });
  const remove = async (userId: string): Promise<void> => {
    await call(removeSpaceCollaborator, { params, query: { principalId: userId, principalType: 'user' } });
    if (userId === me.id) await awayFrom(spaceId, () => navigate({ to: '/' }));
    await refresh();
  };

  return (
    <Section title="People" lead="Who has access to this space, and what they can do.">
      <ProblemNote error={members.error} />
      {members.isPending && <Loading />}
      <PeopleList
        where="space"
        people={members.data?.people ?? []}
        roles={rolesUpTo('owner')}
        mayChange={() => allows(role, 'space|grant_role')}
        mayRemove={(person) => role === 'owner' || rank(role) < rank(person.role)}
        onRole={(userId, next) =>
          call(updateSpaceCollaborator, {
            params,
            body: { principalId: userId, principalType: 'user', role: next },
          }).finally(refresh)
        }
        onRemove={remove}
      />
    </Section>
  );
};
