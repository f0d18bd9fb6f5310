import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { SpaceSection } from '../home/space-section.tsx';
import { basesQuery } from '../home/spaces-query.ts';
import { InviteSection } from './invite-section.tsx';
import { MembersSection } from './members-section.tsx';
import { SpaceFrame } from './space-frame.tsx';

export const SpacePage = () => {
  const { spaceId } = useParams({ from: '/signed-in/space/$spaceId' });
  const bases = useQuery(basesQuery);
  return (
    <SpaceFrame spaceId={spaceId}>
      {(space) => (
        <>
          <SpaceSection title="Bases" space={space} bases={(bases.data ?? []).filter((base) => base.spaceId === spaceId)} />
          <MembersSection spaceId={spaceId} role={space.role} />
          <InviteSection spaceId={spaceId} role={space.role} />
        </>
      )}
    </SpaceFrame>
  );
};
