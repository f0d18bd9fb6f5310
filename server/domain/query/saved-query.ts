import { invalid } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import { insertSavedQuery } from './saved-query.sql.ts';

const mostCharacters = 1_000_000;

export const saveQuery = async (
  { db, newId, principal }: Context,
  params: Record<string, unknown>,
): Promise<{ queryId: string }> => {
  const text = JSON.stringify(params).replaceAll('\\u0000', '');
  if (text.length > mostCharacters)
    throw invalid({
      path: 'params',
      message: `The parameters have ${text.length} characters`,
      expected: `at most ${mostCharacters}`,
    });
  const queryId = newId('qry');
  await insertSavedQuery(db, queryId, principal.userId, text);
  return { queryId };
};

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** A list of texts is one of the address; all else that is not text stands there as JSON. */
export const asRawQuery = (params: Record<string, unknown>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([key, value]) => {
      if (value === null || value === undefined) return [];
      return [
        [
          key,
          Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.map(asText) : asText(value),
        ],
      ];
    }),
  );
