// COPY between the database and this process: whole tables as text, in parts, with as little in memory as one part.
// The driver hands the messages of COPY to whoever submitted the statement; this is that.
import type pg from 'pg';

interface Socket {
  pause(): unknown;
  resume(): unknown;
  destroy(error?: Error): unknown;
  readonly writableNeedDrain: boolean;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** What the driver has but its types do not tell. */
interface Wire {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(part: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

const rowsOf = (text: string): number => Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);

const submit = (client: pg.ClientBase, listener: object): void => {
  client.query(listener as unknown as pg.Submittable);
};

/** `copy … to stdout`: hands over parts of about `partSize` bytes, and waits while two are being dealt with. Answers the number of rows. */
export const copyOut = (client: pg.ClientBase, statement: string, partSize: number, take: (part: Buffer) => Promise<void>): Promise<number> =>
  new Promise((succeed, fail) => {
    let wire: Wire;
    let chunks: Buffer[] = [];
    let size = 0;
    let rows = 0;
    let waiting = 0;
    let failure: Error | undefined;
    let taken: Promise<void> = Promise.resolve();
    const hand = (): void => {
      const part = Buffer.concat(chunks, size);
      [chunks, size] = [[], 0];
      waiting += 1;
      if (waiting >= 2) wire.stream.pause();
      taken = taken
        .then(() => take(part))
        .then(() => {
          waiting -= 1;
          wire.stream.resume();
        });
      // The statement cannot be told to stop: its connection ends.
      taken.catch((error: Error) => {
        if (failure === undefined) wire.stream.destroy(error);
        failure = error;
      });
    };
    submit(client, {
      submit: (connection: Wire) => {
        wire = connection;
        connection.query(statement);
      },
      // The chunk is a window on the driver's buffer, which it fills again.
      handleCopyData: ({ chunk }: { chunk: Buffer }) => {
        chunks.push(Buffer.from(chunk));
        size += chunk.length;
        if (size >= partSize && failure === undefined) hand();
      },
      handleCommandComplete: ({ text }: { text: string }) => {
        rows = rowsOf(text);
      },
      handleReadyForQuery: () => {
        if (size > 0 && failure === undefined) hand();
        taken.then(() => succeed(rows), fail);
      },
      handleError: (error: Error) => fail(failure ?? error),
    });
  });

const drained = (stream: Socket): Promise<void> =>
  new Promise((done) => {
    const end = (): void => {
      stream.off('drain', end);
      stream.off('close', end);
      done();
    };
    stream.once('drain', end);
    stream.once('close', end);
  });

/** `copy … from stdin`. Answers the number of rows. */
export const copyIn = (client: pg.ClientBase, statement: string, parts: AsyncIterable<Buffer>): Promise<number> =>
  new Promise((succeed, fail) => {
    let rows = 0;
    let failure: Error | undefined;
    const send = async (wire: Wire): Promise<void> => {
      try {
        for await (const part of parts) {
          if (failure !== undefined) return;
          wire.sendCopyFromChunk(part);
          if (wire.stream.writableNeedDrain) await drained(wire.stream);
        }
        wire.endCopyFrom();
      } catch (error) {
        failure ??= error as Error;
        wire.sendCopyFail('the data cannot be read');
      }
    };
    submit(client, {
      submit: (wire: Wire) => wire.query(statement),
      handleCopyInResponse: (wire: Wire) => void send(wire),
      handleCommandComplete: ({ text }: { text: string }) => {
        rows = rowsOf(text);
      },
      handleReadyForQuery: () => (failure === undefined ? succeed(rows) : fail(failure)),
      handleError: (error: Error) => {
        failure ??= error;
        fail(failure);
      },
    });
  });
