// Deadlocks that PostgreSQL has found, on the one of the stage or on all places of a given one.
import type { Queryable } from '../server/db/db.ts';
import { sql } from '../server/db/sql.ts';
import type { GivenDatabase, PostgresAddress } from './database.ts';

export interface Deadlocks {
  count: number;
  /** What PostgreSQL wrote down of them, where it can be read. */
  said: string[];
}

/** The line that names one, and those that say who waited for whom with what. */
const deadlocksIn = (log: string): string[] =>
  [
    ...log.matchAll(
      /ERROR:\s+(?:deadlock detected|canceling the transaction since it was involved in a distributed deadlock).*(?:\n(?!.*(?:ERROR|LOG|FATAL):).*){0,14}/g,
    ),
  ].map(([text]) => text.slice(0, 3_000));

export const findDeadlocks = async (db: Queryable, log: string): Promise<Deadlocks> => {
  const [found] = await db.query<{ deadlocks: number }>(
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  return { count: found?.deadlocks ?? 0, said: deadlocksIn(log) };
};

/** The coordinator's; undefined where PostgreSQL does not write it itself (logging_collector), or does not show it. */
export const readGivenLog = async ({ places, ask }: GivenDatabase): Promise<string | undefined> =>
  (
    await ask<{ log: string | null }>(
      places[0] as PostgresAddress,
      'select pg_read_file(pg_current_logfile()) as log',
    ).catch(() => [])
  )[0]?.log ?? undefined;

/** Each place counts those between its own processes. Those that Citus finds between nodes are in the log of the coordinator alone; `from`: where it began. */
export const findGivenDeadlocks = async (given: GivenDatabase, from: number): Promise<Deadlocks> => {
  let count = 0;
  for (const place of given.places)
    count += Number(
      (
        await given.ask<{ deadlocks: string }>(
          place,
          'select deadlocks from pg_stat_database where datname = current_database()',
        )
      )[0]?.deadlocks,
    );
  const said = deadlocksIn(((await readGivenLog(given)) ?? '').slice(from));
  return { count: count + said.filter((text) => text.includes('distributed deadlock')).length, said };
};
