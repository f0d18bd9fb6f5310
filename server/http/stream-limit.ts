// Streams of events that one account, or one address without an account, may have open to a process. Each holds a connection for as long as
// its client likes, so without a limit one account could take the connections of all others.
import { ApiError } from '@rowhouse/contract/error.ts';

interface Connection {
  readonly destroyed: boolean;
  once(event: 'close', act: () => void): unknown;
}

export interface StreamLimit {
  /** Counts the stream until its connection ends, or refuses it. */
  admit(client: string, connection: Connection): void;
}

export const createStreamLimit = (most: number): StreamLimit => {
  const open = new Map<string, number>();
  return {
    admit(client, connection) {
      const count = (open.get(client) ?? 0) + 1;
      if (count > most)
        throw new ApiError(
          'too_many_requests',
          `More than ${most} streams of events are open; close some of them`,
          { limit: most },
          { 'retry-after': '60' },
        );
      if (connection.destroyed) return;
      open.set(client, count);
      connection.once('close', () => {
        const left = (open.get(client) as number) - 1;
        if (left === 0) open.delete(client);
        else open.set(client, left);
      });
    },
  };
};
