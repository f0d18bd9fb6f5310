// Ends statements whose caller has gone, over a connection of its own: all others may be busy, with just those.
import pg from 'pg';

export interface Canceller {
  /** Does not wait, and does not fail: a statement that cannot be cancelled ends at its time limit. */
  cancel(processId: number): void;
  close(): Promise<void>;
}

/** Milliseconds that the connection is kept when there is nothing to cancel. */
const idle = 10_000;

export const createCanceller = (options: pg.ClientConfig): Canceller => {
  let waiting: number[] = [];
  let running: Promise<void> | undefined;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const disconnect = async (): Promise<void> => {
    clearTimeout(timer);
    const open = client;
    client = undefined;
    await open?.end().catch(() => undefined);
  };

  const connect = async (): Promise<pg.Client> => {
    const made = new pg.Client(options);
    made.on('error', () => undefined);
    await made.connect();
    return made;
  };

  const run = async (): Promise<void> => {
    clearTimeout(timer);
    try {
      client ??= await connect();
      while (waiting.length > 0) {
        const ids = waiting;
        waiting = [];
        await client.query('select pg_cancel_backend(id) from unnest($1::int[]) as id', [ids]);
      }
      timer = setTimeout(() => void disconnect(), idle).unref();
    } catch {
      waiting = [];
      await disconnect();
    }
  };

  return {
    cancel(processId) {
      waiting.push(processId);
      running ??= run().finally(() => (running = undefined));
    },
    async close() {
      await running;
      await disconnect();
    },
  };
};
