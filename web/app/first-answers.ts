// What was asked for before something changed does not tell of the change. The library gives up such a request and asks again,
// but only once it has an answer: a change that comes while the first answer is on its way would never be shown.
import type { QueryClient } from '@tanstack/react-query';

/** From now on the first answer is asked for again too, when what it tells of has changed meanwhile. */
export const renewFirstAnswers = (client: QueryClient): void => {
  const invalidate: QueryClient['invalidateQueries'] = client.invalidateQueries.bind(client);
  client.invalidateQueries = async (filters = {}, options) => {
    const first = client
      .getQueryCache()
      .findAll(filters as object)
      .filter(({ state }) => state.data === undefined && state.fetchStatus === 'fetching');
    const again = first.map(async ({ promise, queryKey }) => {
      await promise?.catch(() => undefined);
      await invalidate({ queryKey, exact: true });
    });
    await Promise.all([invalidate(filters, options), ...again]);
  };
};
