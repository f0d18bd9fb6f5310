// Who may do what in a single base: people of its space, and those who were let into the base alone.
import {
  listBaseCollaborators,
  removeBaseCollaborator,
  updateBaseCollaborator,
} from '@rowhouse/contract/collaborator.ts';
import { createBaseLink, deleteBaseLink, inviteToBase, listBaseLinks } from '@rowhouse/contract/invitation.ts';
import { allows, baseRoles, rank, type Role } from '@rowhouse/contract/permission.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { awayFrom } from '../app/from-here.ts';
import { type Invitations, InviteSection } from '../space/invite-section.tsx';
import { PeopleList } from '../space/people-list.tsx';
import { peopleAndGroups } from '../space/queries.ts';
import { baseQuery } from '../record-data/queries.ts';
import { BaseGroupsSection } from './base-groups-section.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../frame/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';

type BaseRole = (typeof baseRoles)[number];

const collaboratorsQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['base-people', baseId],
    queryFn: async ({ signal }) =>
      peopleAndGroups(await call(listBaseCollaborators, { params: { baseId }, query: { take: 1_000 }, signal })),
  });

const invitationsOf = (baseId: string, mayLink: boolean): Invitations => {
  const params = { baseId };
  return {
    invite: (emails, role) => call(inviteToBase, { params, body: { emails, role: role as BaseRole } }),
    links: mayLink
      ? {
          list: (signal) => call(listBaseLinks, { params, signal }),
          add: (role) => call(createBaseLink, { params, body: { role: role as BaseRole } }),
          remove: (invitationId) => call(deleteBaseLink, { params: { baseId, invitationId } }),
        }
      : undefined,
  };
};

export const BasePeoplePage = () => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const me = useMe();
  const navigate = useNavigate();
  const base = useQuery(baseQuery(baseId)).data;
  const people = useQuery(collaboratorsQuery(baseId));
  if (base === undefined) return <Loading />;
  const params = { baseId };
  const { role } = base;
  const roles: readonly Role[] = baseRoles.filter((each) => rank(each) >= rank(role));
  const isBelow = (person: { role: Role }): boolean => role === 'owner' || rank(role) < rank(person.role);
  const refresh = (): Promise<void> =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => ['base-people', 'people', 'members', 'bases'].includes(String(queryKey[0])),
    });
  const remove = async (userId: string): Promise<void> => {
    await call(removeBaseCollaborator, { params, query: { principalId: userId, principalType: 'user' } });
    if (userId === me.id) await awayFrom(baseId, () => navigate({ to: '/' }));
    await refresh();
  };

  return (
    <Page
      title={`People of ${base.name}`}
      lead="Members of the space have access to all of its bases. People invited here have access to this base only."
    >
      <div className="flex flex-col gap-6">
        <Section title="People" lead="Who has access to this base, and what they can do.">
          <ProblemNote error={people.error} />
          {people.isPending && <Loading />}
          <PeopleList
            where="base"
            people={people.data?.people ?? []}
            roles={roles}
            mayChange={(person) => allows(role, 'base|update') && isBelow(person)}
            mayRemove={isBelow}
            elsewhere={(person) => (person.resourceType === 'space' ? 'of the space' : undefined)}
            onRole={(userId, next) =>
              call(updateBaseCollaborator, {
                params,
                body: { principalId: userId, principalType: 'user', role: next as BaseRole },
              }).finally(refresh)
            }
            onRemove={remove}
          />
        </Section>
        <BaseGroupsSection base={base} given={people.data?.groups ?? []} roles={roles} onChanged={refresh} />
        <InviteSection
          id={baseId}
          roles={roles}
          invitations={invitationsOf(baseId, allows(role, 'base|invite_link'))}
          onInvited={refresh}
        />
      </div>
    </Page>
  );
};
