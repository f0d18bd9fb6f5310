import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorPage } from '../app/error-page.tsx';
import { TopBar } from '../frame/top-bar.tsx';
import type { Space } from '../home/spaces-query.ts';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../frame/page.tsx';
import { SpaceNav } from './space-nav.tsx';
import { spaceQuery } from './queries.ts';

/** What the pages of a space have in common: its name, your role, and the way between them. */
export const SpaceFrame = ({ spaceId, children }: { spaceId: string; children: (space: Space) => ReactNode }) => {
  const { data: space, error } = useQuery(spaceQuery(spaceId));
  return (
    <>
      <TopBar />
      {space === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorPage error={error} />
        )
      ) : (
        <Page
          title={space.name}
          lead={`You are ${space.role === 'owner' || space.role === 'editor' ? 'an' : 'a'} ${space.role} of this space.`}
        >
          {space.role === 'owner' && <SpaceNav spaceId={spaceId} />}
          <div className="flex flex-col gap-6">{children(space)}</div>
        </Page>
      )}
    </>
  );
};
