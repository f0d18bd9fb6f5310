import { allows } from '@rowhouse/contract/permission.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import { useQueries } from '@tanstack/react-query';
import { House, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { TopBar } from '../app/top-bar.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { BaseCard } from './base-card.tsx';
import { FirstBase } from './first-base.tsx';
import { SpaceSection } from './space-section.tsx';
import { basesQuery, sharedBasesQuery, spacesQuery } from './spaces-query.ts';

export const HomePage = () => {
  const [spaces, bases, shared] = useQueries({ queries: [spacesQuery, basesQuery, sharedBasesQuery] });
  const [creating, setCreating] = useState(false);
  const isFirstVisit = bases.data?.length === 0 && shared.data?.length === 0;
  const firstSpace = isFirstVisit ? spaces.data?.find(({ role }) => allows(role, 'base|create')) : undefined;
  const newSpace = (
    <Button icon={<Plus size={16} />} onClick={() => setCreating(true)}>
      New space
    </Button>
  );

  return (
    <>
      <TopBar />
      <Page title="Home" lead="Spaces hold your bases; a base holds your tables." actions={newSpace}>
        <ProblemNote error={spaces.error ?? bases.error} />
        {(spaces.isPending || bases.isPending) && <Loading />}
        {spaces.data?.length === 0 && (
          <EmptyState icon={<House size={20} />} title="No space yet" action={newSpace}>
            Create a space to keep the bases of a team or a topic together.
          </EmptyState>
        )}
        {firstSpace !== undefined && <FirstBase spaceId={firstSpace.id} />}
        <div className="flex flex-col gap-10">
          {spaces.data !== undefined &&
            bases.data !== undefined &&
            spaces.data.map((space) => <SpaceSection key={space.id} space={space} bases={bases.data.filter((base) => base.spaceId === space.id)} />)}
          {shared.data !== undefined && shared.data.length > 0 && (
            <section aria-labelledby="shared-with-you">
              <h2 id="shared-with-you" className="mb-3 text-[15px] font-semibold">
                Shared with you
              </h2>
              <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-3">
                {shared.data.map((base) => (
                  <BaseCard key={base.id} base={base} note={base.spaceName} />
                ))}
              </ul>
            </section>
          )}
        </div>
        {creating && (
          <NameDialog
            title="New space"
            initial="Space"
            action="Create space"
            onClose={() => setCreating(false)}
            onSubmit={async (name) => {
              await call(createSpace, { body: { name } });
              await queryClient.invalidateQueries({ queryKey: spacesQuery.queryKey });
            }}
          />
        )}
      </Page>
    </>
  );
};
