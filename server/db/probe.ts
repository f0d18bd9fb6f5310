// Asks whether the database answers, on a connection of its own: a server that is busy is ready all the same, and
// must not be taken for one that is not.
import type pg from 'pg';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Db } from './db.ts';
import { databaseError } from './error.ts';

interface Probe {
  /** Fails when the database does not answer within five seconds. */
  ask(): Promise<void>;
  close(): Promise<void>;
}

const patience = 5_000;

const late = (): ApiError =>
  new ApiError('database_connection_unavailable', 'The database does not answer at the moment', undefined, {
    'retry-after': '1',
  });

export const createProbe = (db: Pick<Db, 'dedicated'>): Probe => {
  let connecting: Promise<pg.Client> | undefined;
  let asking: Promise<void> | undefined;

  const forget = (client: Promise<pg.Client> | undefined): void => {
    if (connecting === client) connecting = undefined;
    void client?.then((known) => known.end()).catch(() => undefined);
  };

  const question = async (): Promise<void> => {
    const mine = connecting ?? db.dedicated();
    if (connecting === undefined) {
      connecting = mine;
      // One that was lost meanwhile is not asked again.
      void mine.then((client) => client.once('end', () => forget(mine))).catch(() => undefined);
    }
    let timer: NodeJS.Timeout | undefined;
    const patienceEnds = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(late()), patience);
    });
    try {
      await Promise.race([mine.then((client) => client.query('select 1')), patienceEnds]);
    } catch (error) {
      forget(mine);
      throw databaseError(error);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    /** Those who ask at the same time share an answer. */
    ask: () =>
      (asking ??= question().finally(() => {
        asking = undefined;
      })),
    async close() {
      const client = await connecting?.catch(() => undefined);
      connecting = undefined;
      await client?.end().catch(() => undefined);
    },
  };
};
