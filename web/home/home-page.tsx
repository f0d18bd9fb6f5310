import { allows, standingIn } from '../app/standing.ts';
import { createSpace } from '@rowhouse/contract/space.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { House, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { publicSettingQuery } from '../app/brand.ts';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { TopBar } from '../frame/top-bar.tsx';
import { DropNote, UploadsNote } from '../field-type/attachment/uploads-note.tsx';
import { useFileDrop } from '../field-type/attachment/use-file-drop.ts';
import { importableOf } from '../import/importable.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { Page } from '../frame/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { BaseSection } from './base-section.tsx';
import { useFavourites, useRecentIds } from './favourites.ts';
import { FirstBase } from './first-base.tsx';
import { NewBaseDialog } from './new-base-dialog.tsx';
import { SpaceSection } from './space-section.tsx';
import { basesQuery, sharedBasesQuery, spacesQuery } from './spaces-query.ts';

// Few visits need it.
const ImportPageDialog = lazy(async () => ({
  default: (await import('./import/import-page-dialog.tsx')).ImportPageDialog,
}));

/** With no more bases than this, all of them are in sight anyway. */
const fewBases = 3;
const shownRecently = 4;

export const HomePage = () => {
  const [spaces, bases, shared] = useQueries({ queries: [spacesQuery, basesQuery, sharedBasesQuery] });
  const { isAdmin } = useMe();
  const mayCreateSpaces = useQuery(publicSettingQuery).data?.disallowSpaceCreation !== true || isAdmin;
  const { template } = useSearch({ strict: false }) as { template?: string };
  const navigate = useNavigate();
  const [creating, setCreating] = useState<'space' | 'base' | null>(template === undefined ? null : 'base');
  const [importing, setImporting] = useState<{ file: File | undefined } | null>(null);
  const { ids: favouriteIds } = useFavourites();
  const recentIds = useRecentIds();
  const isFirstVisit = bases.data?.length === 0 && shared.data?.length === 0;
  const ownSpaces = (spaces.data ?? []).filter(({ role }) => allows(role, 'base|create'));
  const [firstSpace] = ownSpaces;
  const all = [...(bases.data ?? []), ...(shared.data ?? [])];
  const pick = (ids: readonly string[]) => ids.flatMap((id) => all.find((base) => base.id === id) ?? []);
  const favourites = pick(favouriteIds);
  const recent = all.length > fewBases ? pick(recentIds).slice(0, shownRecently) : [];
  const placeOf = (base: { spaceId: string }): string =>
    spaces.data?.find(({ id }) => id === base.spaceId)?.name ?? 'Shared with you';
  const close = (): void => {
    setCreating(null);
    if (template !== undefined) void navigate({ to: '/', search: {}, replace: true });
  };
  const drop = useFileDrop(
    firstSpace === undefined
      ? undefined
      : (files) => {
          const file = importableOf(files);
          if (file !== undefined) setImporting({ file });
        },
  );

  return (
    <div className="flex min-h-0 flex-1 flex-col" {...drop.handlers}>
      <TopBar />
      <Page
        title="Home"
        actions={
          <div className="flex flex-wrap gap-2">
            {firstSpace !== undefined && <Button onClick={() => setImporting({ file: undefined })}>Import</Button>}
            {mayCreateSpaces && <Button onClick={() => setCreating('space')}>New space</Button>}
            {firstSpace !== undefined && !isFirstVisit && (
              <Button look="primary" icon={<Plus size={16} />} onClick={() => setCreating('base')}>
                New base
              </Button>
            )}
          </div>
        }
      >
        <ProblemNote error={spaces.error ?? bases.error} />
        {(spaces.isPending || bases.isPending) && <Loading />}
        {spaces.data?.length === 0 && (
          <EmptyState
            icon={<House size={20} />}
            title="No spaces yet"
            action={
              mayCreateSpaces && (
                <Button look="primary" onClick={() => setCreating('space')}>
                  New space
                </Button>
              )
            }
          >
            A space keeps the bases of a team together, with the people who may see them.
          </EmptyState>
        )}
        {isFirstVisit && firstSpace !== undefined && <FirstBase spaceId={firstSpace.id} />}
        <div className="flex flex-col gap-10">
          <BaseSection title="Favourites" bases={favourites} noteOf={placeOf} />
          <BaseSection title="Recent" bases={recent} noteOf={placeOf} />
          {spaces.data !== undefined &&
            bases.data !== undefined &&
            spaces.data.map((space) => (
              <SpaceSection
                key={space.id}
                space={space}
                bases={bases.data.filter((base) => base.spaceId === space.id)}
              />
            ))}
          <BaseSection
            title="Shared with you"
            bases={shared.data ?? []}
            noteOf={(base) => ('spaceName' in base ? String(base.spaceName) : '')}
          />
        </div>
        {creating === 'base' && firstSpace !== undefined && (
          <NewBaseDialog spaces={ownSpaces} templateId={template} onClose={close} />
        )}
        {creating === 'space' && (
          <NameDialog
            title="New space"
            initial="Space"
            action="Create space"
            onClose={close}
            onSubmit={async (name) => {
              await call(createSpace, { body: { name } });
              await queryClient.invalidateQueries({ queryKey: spacesQuery.queryKey });
            }}
          />
        )}
      </Page>
      {drop.isOver && <DropNote>Drop a CSV, Excel or JSON file to make a table of it</DropNote>}
      <UploadsNote />
      {importing !== null && (
        <Suspense fallback={null}>
          <ImportPageDialog
            spaces={ownSpaces}
            bases={all.filter((base) => allows(standingIn(base), 'base|table_import'))}
            given={importing.file}
            onClose={() => setImporting(null)}
          />
        </Suspense>
      )}
    </div>
  );
};
