// Brings requests that run at the same time into one order: a request is stopped by a lock that the test holds, at a row or in the middle of a statement,
// and the next one begins when it is certain that the first one waits.
import { setTimeout } from 'node:timers/promises';
import { openSession } from '../../server/db/session.ts';
import { compile, type Sql, sql } from '../../server/db/sql.ts';
import { connectTo, placementOf } from './placement.ts';
import { countWaiting } from './waiting.sql.ts';
import type { World } from './world.ts';

/** What the test holds. */
export interface Held {
  release(): Promise<void>;
}

/** A transaction of the test that has done this and is not through. */
export const hold = async ({ databaseUrl }: Pick<World, 'databaseUrl'>, statement: Sql): Promise<Held> => {
  const session = await openSession(databaseUrl);
  await session.query(sql`begin`);
  await session.query(statement);
  return {
    async release() {
      await session.query(sql`rollback`);
      await session.client.end();
    },
  };
};

/** A row, as one who writes it holds it. */
export const holdRow = (world: World, dbTableName: string, recordId: string): Promise<Held> =>
  hold(
    world,
    sql`select from ${sql.id(...(dbTableName.split('.') as [string, string]))} where __id = ${recordId} for update`,
  );

/**
 * A place where statements that add an operation of this kind to this table stop, in the middle, while the test holds it. To be laid before requests are under way: it waits for all who
 * write to the base. It stays, and lets everybody through.
 */
export const layStop = async (
  world: World,
  baseId: string,
  kind: string,
  tableId: string,
): Promise<{ hold(): Promise<Held> }> => {
  const name = `stop ${kind} ${tableId}`;
  const stop = sql.id(baseId, name);
  // Held for a moment only: one who is through is not in the way of the next time that the test holds it. Jobs do not wait for long elsewhere; here they do.
  const body = `declare place bigint := hashtextextended('${name}', 0); begin perform set_config('lock_timeout', '0', true); perform pg_advisory_lock_shared(place); perform pg_advisory_unlock_shared(place); return new; end`;
  const place = await placementOf(world.databaseUrl, baseId, '__operation');
  const client = await connectTo(place);
  await client.query(
    compile(sql`create function ${stop}() returns trigger language plpgsql as ${sql.literal(body)}`).text,
  );
  await client.query(
    `create trigger ${compile(sql.id(name)).text} before insert on ${place.table} for each row when (${compile(sql`new.kind = ${sql.literal(kind)} and new.table_id = ${sql.literal(tableId)}`).text}) execute function ${compile(stop).text}()`,
  );
  await client.end();
  return { hold: () => hold(place, sql`select pg_advisory_xact_lock(hashtextextended(${sql.literal(name)}, 0))`) };
};

/** Jobs of this kind that are added from now on wait until `resume`. */
export const parkJobs = async ({ db, services }: World, kind: string): Promise<{ resume(): Promise<void> }> => {
  const park = sql.id('rowhouse', `park ${kind}`);
  await db.query(
    sql`create function ${park}() returns trigger language plpgsql as ${sql.literal("begin new.due_time := now() + interval '1 hour'; return new; end")}`,
  );
  await db.query(
    sql`create trigger park before insert on rowhouse.jobs for each row when (new.kind = ${sql.literal(kind)}) execute function ${park}()`,
  );
  return {
    async resume() {
      await db.query(sql`drop function ${park}() cascade`);
      await db.query(sql`update rowhouse.jobs set due_time = now() where kind = ${kind}`);
      services.work.wake();
    },
  };
};

/** Whether two wait for each other at any time until `end`: PostgreSQL looks for that after a second, and the server tries again, so that nobody is told. */
export const watchCircles = ({ db }: World): { end(): Promise<boolean> } => {
  const look = { isOver: false, hasFound: false };
  const ended = (async () => {
    while (!look.isOver) {
      look.hasFound ||=
        (
          await db.query(
            sql`select from pg_stat_activity a, unnest(pg_blocking_pids(a.pid)) b(pid) where a.datname = current_database() and a.pid = any(pg_blocking_pids(b.pid)) limit 1`,
          )
        ).length > 0;
      await setTimeout(20);
    }
  })();
  return {
    async end() {
      look.isOver = true;
      await ended;
      return look.hasFound;
    },
  };
};

/** Until so many connections wait for somebody's lock; with `or`: or that has ended. */
export const untilWaiting = async (world: World, count: number, or?: Promise<unknown>): Promise<void> => {
  let hasEnded = false;
  const end = (): void => void (hasEnded = true);
  or?.then(end, end);
  while (!hasEnded && (await countWaiting(world.db)) < count) await setTimeout(5);
};
