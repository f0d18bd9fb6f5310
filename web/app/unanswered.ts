// Changes that are shown before the server has answered. What is read meanwhile may be from before them, and would take them back on the
// screen until it is read once more: so they are made to it again, as long as they are on their way.
import type { DataTag, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

type Change = (data: never) => unknown;

const onTheirWay = new Map<string, Set<Change>>();

const nameOf = (queryKey: QueryKey): string => JSON.stringify(queryKey);

/** What was read, as it will be when those are answered. Called by the query that reads it. */
export const withUnanswered = <T>(queryKey: QueryKey, data: T): T =>
  [...(onTheirWay.get(nameOf(queryKey)) ?? [])].reduce((made, change) => change(made as never) as T, data);

const lines = new Map<string, Promise<unknown>>();

/** One after the other: of two on their way at once the server may hear the later one first, and keep the earlier one. */
const inTurn = async <A>(name: string, request: () => Promise<A>): Promise<A> => {
  const turn = (lines.get(name) ?? Promise.resolve()).then(request);
  const settled = turn.then(
    () => undefined,
    () => undefined,
  );
  lines.set(name, settled);
  try {
    return await turn;
  } finally {
    if (lines.get(name) === settled) lines.delete(name);
  }
};

/** Shows a change and asks for it, when those before it are answered. When it is refused, who called reads again what is shown. */
export const showAtOnce = async <T, E, A>(
  queryKey: DataTag<QueryKey, T, E>,
  change: (data: T) => T,
  request: () => Promise<A>,
): Promise<A> => {
  const name = nameOf(queryKey);
  const changes = onTheirWay.get(name) ?? new Set();
  onTheirWay.set(name, changes);
  changes.add(change as Change);
  queryClient.setQueryData<T>(queryKey, (shown: T | undefined) => (shown === undefined ? undefined : change(shown)));
  try {
    return await inTurn(name, request);
  } finally {
    changes.delete(change as Change);
    if (changes.size === 0) onTheirWay.delete(name);
    // What is being read now may be from before it, and comes when nothing is made to it any more.
    if (queryClient.isFetching({ queryKey, exact: true }) > 0) void queryClient.invalidateQueries({ queryKey });
  }
};
