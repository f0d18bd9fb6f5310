// Kill -9 of the server, of PostgreSQL with all its processes, of both, or of one process of PostgreSQL. Of a given cluster, PostgreSQL is the coordinator or one of
// the nodes; a command ends and starts that (TEST_NODE_COMMAND), and one of its processes can only be told to end.
import { readdirSync, readFileSync } from 'node:fs';
import type { GivenDatabase, PostgresAddress } from '../database.ts';
import { type Program, until } from '../program.ts';
import type { Random } from '../random.ts';

export const victims = ['server', 'postgres', 'both', 'backend'] as const;
export type Victim = (typeof victims)[number];

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });

const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};

export const strike = (
  victim: Victim,
  server: Pick<Program, 'kill'>,
  postgres: number,
  choose: (pids: number[]) => number,
): void => {
  const children = childrenOf(postgres);
  if (victim === 'server' || victim === 'both') server.kill('SIGKILL');
  if (victim === 'postgres' || victim === 'both') for (const pid of [postgres, ...children]) end(pid);
  if (victim === 'backend') end(choose(children));
};

/** What can be struck of a given one. */
export const victimsOf = (given: GivenDatabase | undefined): readonly Victim[] =>
  given === undefined || given.order !== undefined ? victims : ['server', 'backend'];

const clients = `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() order by pid`;

/** Answers the place that has to be started again. */
export const strikeGiven = async (
  { places, order, ask }: GivenDatabase,
  victim: Victim,
  server: Pick<Program, 'kill'>,
  draw: Random,
): Promise<PostgresAddress | undefined> => {
  const place = draw.pick(places);
  if (victim === 'server' || victim === 'both') server.kill('SIGKILL');
  if (victim === 'backend') {
    const pids = (await ask<{ pid: number }>(place, clients)).map(({ pid }) => pid);
    if (pids.length > 0) await ask(place, 'select pg_terminate_backend($1::int)', [draw.pick(pids)]);
  }
  if (victim !== 'postgres' && victim !== 'both') return undefined;
  await order?.('kill', place);
  return place;
};

const prepared = 'select count(*)::int as count from pg_prepared_xacts where database = current_database()';

/** What was committed while a node fell is finished there by the coordinator, from time to time (citus.recover_2pc_interval). */
export const finished = ({ places, ask }: GivenDatabase): Promise<void> =>
  until(
    'no transaction is left behind',
    async () => {
      for (const place of places)
        if (((await ask<{ count: number }>(place, prepared))[0]?.count ?? 1) > 0) return false;
      return true;
    },
    500,
  );
