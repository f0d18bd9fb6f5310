// What the proofs of automations and of webhooks do to a server under load: something is killed, the load is cut off, and what has fallen rises again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../server/db/db.ts';
import type { Setting } from '../part.ts';
import { postgresPid, type Served, until } from '../program.ts';
import type { Random } from '../random.ts';
import type { Ground } from './ground.ts';
import { finished, strike, strikeGiven, victimsOf } from './strike.ts';

/** Makes what waits due at once; with `all`, what a killed server has left under way, too. */
type Hurry = (db: Db, all: boolean) => Promise<unknown>;

export const hurryIn = async ({ openDb }: Ground, hurry: Hurry, all: boolean): Promise<void> => {
  const db = await openDb();
  await hurry(db, all)
    .finally(() => db.close())
    // The database is away at times.
    .catch(() => undefined);
};

const isUp = ({ origin }: Ground): Promise<boolean> =>
  fetch(`${origin}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

/** How many the loads have written between them. */
export const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

interface Fall {
  /** How many there were before: the victims take turns. */
  count: number;
  scale: Setting['scale'];
  draw: Random;
  hurry: Hurry;
  /** The loads stop, and have ended when this resolves. */
  cutOff: () => Promise<void>;
}

/** Answers the server that runs afterwards. */
export const fall = async (
  ground: Ground,
  server: Served,
  { count, scale, draw, hurry, cutOff }: Fall,
): Promise<Served> => {
  // What a killed PostgreSQL leaves under way is due again when its leases end: the full proof waits for that.
  const victims = scale === 'full' ? victimsOf(ground.given) : (['server'] as const);
  const victim = victims[count % victims.length] as (typeof victims)[number];
  if (ground.given === undefined) strike(victim, server, postgresPid(ground.data) as number, (pids) => draw.pick(pids));
  else await strikeGiven(ground.given, victim, server, draw);
  await sleep(draw.below(50));
  await cutOff();
  let running = server;
  if (victim === 'server' || victim === 'both') {
    await server.ended;
    if (victim === 'server') await hurryIn(ground, hurry, true);
    running = await ground.start();
  }
  await until('the server answers again', () => isUp(ground));
  if (ground.given !== undefined) await finished(ground.given);
  return running;
};
