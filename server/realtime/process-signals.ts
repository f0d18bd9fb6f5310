// Tells the other processes what changed here, and hears it from them. When the connection is away nothing is lost:
// everyone looks for themselves once a second.
import { randomText } from '@rowhouse/contract/id.ts';
import type pg from 'pg';
import type { Db } from '../db/db.ts';
import type { BackgroundErrors } from '../background-errors.ts';
import { coalesce } from '../work/coalesce.ts';
import { listen, notify } from './process-signals.sql.ts';

interface ProcessSignals {
  /** A base id, a table id for who has it open, `inbox`, or the cell somebody is in. Without colons. */
  tell(topic: string): void;
  close(): Promise<void>;
}

const retryAfter = 1_000;

/** `regained`: the connection was lost and is there again, so that the database may have been away. */
export const openProcessSignals = (
  db: Db,
  backgroundErrors: BackgroundErrors,
  hear: (topic: string) => void,
  regained: () => void,
): ProcessSignals => {
  const self = randomText(8);
  const topics = new Set<string>();
  let line: { client: pg.Client; channel: string } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let wasLost = false;

  const connect = async (): Promise<void> => {
    let lost = false;
    const again = (): void => {
      if (lost || isClosed) return;
      lost = true;
      wasLost = true;
      line = undefined;
      timer = setTimeout(() => {
        connecting = connect();
      }, retryAfter).unref();
    };
    let made: pg.Client | undefined;
    try {
      made = await db.dedicated();
      made.on('end', again);
      made.on('error', again);
      const channel = await listen(made, (payload) => {
        const [from, topic] = payload.split(':');
        if (from !== self && topic !== undefined) hear(topic);
      });
      if (isClosed) await made.end();
      else {
        line = { client: made, channel };
        if (wasLost) regained();
      }
    } catch (error) {
      if (!isClosed) backgroundErrors.note('signals between processes', error);
      again();
      // A connection that cannot listen is of no use to anybody.
      await made?.end().catch(() => undefined);
    }
  };
  let connecting = connect();

  const sending = coalesce(
    async () => {
      const sent = [...topics];
      topics.clear();
      if (line !== undefined && sent.length > 0)
        await notify(
          line.client,
          line.channel,
          sent.map((topic) => `${self}:${topic}`),
        );
    },
    () => 40,
    (error) => backgroundErrors.note('signals between processes', error),
  );

  return {
    tell(topic) {
      topics.add(topic);
      sending.wake();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await sending.close();
      await connecting;
      await line?.client.end().catch(() => undefined);
    },
  };
};
