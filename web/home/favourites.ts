// Bases that somebody pinned, and those they opened last. Both are kept by the server: they follow the person from one browser to another.
import { listLastBases, noteVisit } from '@rowhouse/contract/last-visit.ts';
import { createPin, deletePin, listPins } from '@rowhouse/contract/pin.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { showProblem } from '../ui/toast.ts';

const pinsQuery = queryOptions({
  queryKey: ['pins'],
  queryFn: ({ signal }) => call(listPins, { signal }),
  staleTime: 60_000,
});
const recentQuery = queryOptions({
  queryKey: ['last-bases'],
  queryFn: async ({ signal }) => (await call(listLastBases, { signal })).list.map(({ resourceId }) => resourceId),
});

const none: readonly string[] = [];

interface Favourites {
  ids: readonly string[];
  isFavourite(baseId: string): boolean;
  toggle(baseId: string): void;
}

export const useFavourites = (): Favourites => {
  const pins = useQuery(pinsQuery).data ?? [];
  const ids = pins.filter(({ type }) => type === 'base').map(({ id }) => id);
  const isFavourite = (baseId: string): boolean => ids.includes(baseId);
  const toggle = async (baseId: string): Promise<void> => {
    try {
      const target = { type: 'base', id: baseId } as const;
      await (isFavourite(baseId) ? call(deletePin, { query: target }) : call(createPin, { body: target }));
    } catch (error) {
      showProblem(error, 'The favourites were not changed.');
    }
    await queryClient.invalidateQueries({ queryKey: pinsQuery.queryKey });
  };
  return { ids, isFavourite, toggle: (baseId) => void toggle(baseId) };
};

/** Latest first. */
export const useRecentIds = (): readonly string[] => useQuery(recentQuery).data ?? none;

/** Nobody misses it when it is not noted. */
export const noteBase = (base: { id: string; spaceId: string }): void => {
  call(noteVisit, { body: { resourceType: 'base', resourceId: base.id, parentResourceId: base.spaceId } })
    .then(() => queryClient.invalidateQueries({ queryKey: recentQuery.queryKey }))
    .catch(() => undefined);
};

export const noteTable = (baseId: string, tableId: string, viewId: string): void => {
  call(noteVisit, {
    body: { resourceType: 'table', resourceId: tableId, parentResourceId: baseId, childResourceId: viewId },
  }).catch(() => undefined);
};
