import { createSpaceLink, deleteSpaceLink, inviteToSpace, listSpaceLinks } from '@rowhouse/contract/invitation.ts';
import { allows } from '@rowhouse/contract/permission.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { SpaceSection } from '../home/space-section.tsx';
import { basesQuery } from '../home/spaces-query.ts';
import { type Invitations, InviteSection } from './invite-section.tsx';
import { GroupsSection } from './groups-section.tsx';
import { membersQuery } from './queries.ts';
import { MembersSection } from './members-section.tsx';
import { rolesUpTo } from './role-words.ts';
import { SpaceFrame } from './space-frame.tsx';
import { SpaceSecurity } from './space-security.tsx';

const invitationsOf = (spaceId: string, mayLink: boolean): Invitations => {
  const params = { spaceId };
  return {
    invite: (emails, role) => call(inviteToSpace, { params, body: { emails, role } }),
    links: mayLink
      ? {
          list: (signal) => call(listSpaceLinks, { params, signal }),
          add: (role) => call(createSpaceLink, { params, body: { role } }),
          remove: (invitationId) => call(deleteSpaceLink, { params: { spaceId, invitationId } }),
        }
      : undefined,
  };
};

export const SpacePage = () => {
  const { spaceId } = useParams({ from: '/signed-in/space/$spaceId' });
  const bases = useQuery(basesQuery);
  return (
    <SpaceFrame spaceId={spaceId}>
      {(space) => (
        <>
          <SpaceSection
            title="Bases"
            space={space}
            bases={(bases.data ?? []).filter((base) => base.spaceId === spaceId)}
          />
          <MembersSection spaceId={spaceId} role={space.role} />
          <GroupsSection spaceId={spaceId} role={space.role} />
          <InviteSection
            id={spaceId}
            roles={rolesUpTo(space.role)}
            invitations={invitationsOf(spaceId, allows(space.role, 'space|invite_link'))}
            onInvited={() => queryClient.invalidateQueries({ queryKey: membersQuery(spaceId).queryKey })}
          />
          {space.role === 'owner' && <SpaceSecurity spaceId={spaceId} />}
        </>
      )}
    </SpaceFrame>
  );
};
