import { getSpace } from '@rowhouse/contract/space.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { ErrorPage } from '../app/error-page.tsx';
import { TopBar } from '../app/top-bar.tsx';
import { SpaceSection } from '../home/space-section.tsx';
import { basesQuery } from '../home/spaces-query.ts';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { InviteSection } from './invite-section.tsx';
import { MembersSection } from './members-section.tsx';
import { PlanSection } from './plan-section.tsx';

export const SpacePage = () => {
  const { spaceId } = useParams({ from: '/signed-in/space/$spaceId' });
  const space = useQuery({ queryKey: ['spaces', spaceId], queryFn: ({ signal }) => call(getSpace, { params: { spaceId }, signal }) });
  const bases = useQuery(basesQuery);
  return (
    <>
      <TopBar />
      {space.error !== null && space.data === undefined ? (
        <ErrorPage error={space.error} />
      ) : space.data === undefined ? (
        <Loading />
      ) : (
        <Page title={space.data.name} lead={`You are ${space.data.role === 'owner' || space.data.role === 'editor' ? 'an' : 'a'} ${space.data.role} of this space.`}>
          <div className="flex flex-col gap-6">
            <SpaceSection title="Bases" space={space.data} bases={(bases.data ?? []).filter((base) => base.spaceId === spaceId)} />
            <MembersSection spaceId={spaceId} role={space.data.role} />
            <InviteSection spaceId={spaceId} role={space.data.role} />
            {space.data.role === 'owner' && <PlanSection spaceId={spaceId} />}
          </div>
        </Page>
      )}
    </>
  );
};
