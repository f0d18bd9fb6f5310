// POST /base/:baseId/sql-query
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import type { querySql as endpoint } from '@rowhouse/contract/sql-query.ts';
import type pg from 'pg';
import { demandScope, demandUnbound } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/db.ts';
import { sqlState } from '../../db/error.ts';
import { scramVerifier } from '../../db/scram.ts';
import { readBySql, type SqlLimits, TooMuch } from './query.sql.ts';
import { fenceReader, lockReaders, queryRoleName, type Reader, selectReader, writeQueryRole } from './reader.sql.ts';

const limits: SqlLimits = { rows: 1_000, bytes: 10_000_000, seconds: 10 };

const notOpen = (): ApiError =>
  new ApiError(
    'unprocessable_entity',
    'This base is not open for SQL: an owner of its space opens it with POST /base/{baseId}/connection',
  );

/** Of a role that is not there, or that another server or an older key has made. */
const isUnknown = (error: unknown): boolean => ['28P01', '28000'].includes(sqlState(error) ?? '');

/** It has all rights of the reader, as a member, and its own limits. */
const makeRole = (context: Context, reader: Reader, password: string): Promise<void> =>
  context.db.transaction(async (tx) => {
    await lockReaders(tx);
    // Closed since: the role went with it.
    if ((await selectReader(tx, reader.baseId)) === undefined) throw notOpen();
    await writeQueryRole(tx, reader, scramVerifier(password));
    if (context.config.databaseUrl === null) await fenceReader(tx, queryRoleName(reader.baseId));
  });

const connect = async (context: Context, reader: Reader): Promise<pg.Client> => {
  const user = queryRoleName(reader.baseId);
  const password = context.secretKey.derive('sql query', reader.baseId).replaceAll(/[^0-9A-Za-z]/g, '');
  const enter = (): Promise<pg.Client> => (context.db as Db).dedicatedAs(user, password);
  try {
    return await enter();
  } catch (error) {
    if (!isUnknown(error)) throw error;
    await makeRole(context, reader, password);
    return enter();
  }
};

const refusal = (error: unknown): unknown => {
  const state = sqlState(error);
  if (error instanceof TooMuch)
    return invalid({
      path: 'sql',
      message: `The answer has more than ${limits.bytes / 1_000_000} MB, or a row of more than 1 MB`,
      expected: 'a query for fewer columns or rows',
    });
  if (state === '57014')
    return invalid({
      path: 'sql',
      message: `The query took more than ${limits.seconds} seconds`,
      expected: 'a query that reads less',
    });
  if (state === '53300')
    return new ApiError('too_many_requests', 'This base is asked too much in SQL at the moment; try again', undefined, {
      'retry-after': '1',
    });
  if (state === undefined || state.startsWith('08') || state.startsWith('57') || state.startsWith('XX')) return error;
  return invalid({ path: 'sql', message: (error as Error).message, expected: 'one select that this base can answer' });
};

/** The answer as JSON: rows are as PostgreSQL makes them. */
export const querySql = async (context: Context, baseId: string, { sql }: BodyOf<typeof endpoint>): Promise<string> => {
  demandUnbound(context.access, 'SQL');
  for (const scope of ['record|read', 'user|email_read'] as const) demandScope(context.principal, scope, baseId);
  const reader = await selectReader(context.db, baseId);
  if (reader === undefined) throw notOpen();
  let client: pg.Client | undefined;
  try {
    client = await connect(context, reader);
    const { rows, hasMore } = await readBySql(client, baseId, sql, limits);
    return `{"rows":[${rows.join()}],"hasMore":${hasMore}}`;
  } catch (error) {
    throw error instanceof ApiError ? error : refusal(error);
  } finally {
    // Whatever the query left on it ends with it.
    await client?.end().catch(() => undefined);
  }
};
