// Puts the app on the page.
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { spacesQuery } from '../home/spaces-query.ts';
import { baseQuery, fieldsQuery, nodesQuery, peopleQuery, tablesQuery, viewsQuery } from '../record-data/queries.ts';
import { listenForLongPress } from '../ui/long-press.ts';
import { dismissPassing } from '../ui/toast.ts';
import { Toasts } from '../ui/toasts.tsx';
import { forgetEarly } from '../app/early.ts';
import type { Screen } from './first-screen.ts';
import { meQuery } from '../app/me.ts';
import { queryClient } from '../app/query-client.ts';
import { router } from './router.tsx';
import { windowName } from '../app/window-steps.ts';

/** Longer than this nobody looks at an empty page: then the frame is shown, and fills. */
const patience = 800;
const earlyForAtMost = 10_000;

const dataOf = async ({ place }: Screen): Promise<void> => {
  const ofTable =
    place === undefined
      ? []
      : [
          baseQuery(place.baseId),
          tablesQuery(place.baseId),
          nodesQuery(place.baseId),
          peopleQuery(place.baseId),
          fieldsQuery(place.tableId),
          viewsQuery(place.tableId),
          spacesQuery,
        ];
  await Promise.all([meQuery, ...ofTable].map((query) => queryClient.prefetchQuery(query as typeof spacesQuery)));
};

/** Another table, view or page; a record that opens beside its table is none. */
const placeOf = ({ pathname, search }: { pathname: string; search: unknown }): string =>
  `${pathname} ${(search as { view?: string }).view ?? ''}`;

export const start = async (screen: Screen): Promise<void> => {
  setTimeout(forgetEarly, earlyForAtMost);
  windowName();
  listenForLongPress();
  router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation }) => {
    if (fromLocation !== undefined && placeOf(fromLocation) !== placeOf(toLocation)) dismissPassing();
  });
  const wait = new Promise((done) => setTimeout(done, patience));
  // Drawn once with everything is quicker than piece by piece. What could not be had, the screen asks for again and tells of.
  await Promise.race([Promise.allSettled([screen.loaded, dataOf(screen)]), wait]);
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  );
};
