// `queryId` in the address of a request about a table stands for parameters that were saved.
import type { FastifyRequest } from 'fastify';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { Services } from '../context.ts';
import { asRawQuery } from '../domain/query/saved-query.ts';
import { selectSavedQuery } from '../domain/query/saved-query.sql.ts';
import type { RawQuery } from './query.ts';

/** For the one who saved them: the query with the saved parameters in it. */
type Unfold = (userId: string) => RawQuery;

export const unfoldQuery = async (
  { db }: Services,
  endpoint: Declaration,
  request: FastifyRequest,
): Promise<Unfold> => {
  const given = request.query as RawQuery;
  const { queryId } = given;
  if (queryId === undefined || endpoint.query === undefined || endpoint.access.on !== 'table') return () => given;
  const saved = typeof queryId === 'string' ? await selectSavedQuery(db, queryId) : undefined;
  return (userId) => {
    if (saved?.userId !== userId)
      throw invalid({
        path: 'query.queryId',
        message: `There is no saved query ${String(queryId).slice(0, 50)} of yours`,
        expected: 'a queryId that POST /query-params gave you within the last day',
      });
    const { queryId: _used, ...rest } = given;
    return { ...asRawQuery(saved.params), ...rest } as RawQuery;
  };
};
