// Tells the other processes what changed here, and hears it from them. When the connection is away nothing is lost:
// everyone looks for themselves once a second.
import { randomText } from '@rowhouse/contract/id.ts';
import type pg from 'pg';
import type { Db } from '../db/db.ts';
import type { Faults } from '../faults.ts';
import { createPace } from './pace.ts';
import { listen, notify } from './wire.sql.ts';

export interface Wire {
  /** A base id, a table id for who has it open, or `inbox`. */
  tell(topic: string): void;
  close(): Promise<void>;
}

const retryAfter = 1_000;

/** `regained`: the connection was lost and is there again, so that the database may have been away. */
export const openWire = (db: Db, faults: Faults, hear: (topic: string) => void, regained: () => void): Wire => {
  const self = randomText(8);
  const topics = new Set<string>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let wasLost = false;

  const connect = async (): Promise<void> => {
    let lost = false;
    const again = (): void => {
      if (lost || isClosed) return;
      lost = true;
      wasLost = true;
      client = undefined;
      timer = setTimeout(() => void connect(), retryAfter).unref();
    };
    try {
      const made = await db.dedicated();
      made.on('end', again);
      made.on('error', again);
      await listen(made, (payload) => {
        const [from, topic] = payload.split(':');
        if (from !== self && topic !== undefined) hear(topic);
      });
      if (isClosed) await made.end();
      else {
        client = made;
        if (wasLost) regained();
      }
    } catch (error) {
      if (!isClosed) faults.note('signals between processes', error);
      again();
    }
  };
  const connecting = connect();

  const pace = createPace(
    async () => {
      const sent = [...topics];
      topics.clear();
      if (client !== undefined && sent.length > 0) await notify(client, sent.map((topic) => `${self}:${topic}`));
    },
    () => 40,
    (error) => faults.note('signals between processes', error),
  );

  return {
    tell(topic) {
      topics.add(topic);
      pace.wake();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await pace.close();
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
};
