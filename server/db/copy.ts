// COPY between the database and this process: whole tables as text, in parts, with as little in memory as two parts.
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';

/** Parts of about `size` bytes. */
async function* inParts(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    if (length < size) continue;
    yield Buffer.concat(held, length);
    [held, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(held, length);
}

/**
 * `copy … to stdout`: hands over parts of about `partSize` bytes, one after the other. Returns the number of rows.
 * When `take` fails the connection is of no further use: the statement cannot be told to stop.
 */
export const copyOut = async (
  client: pg.ClientBase,
  statement: string,
  partSize: number,
  take: (part: Buffer) => Promise<void>,
): Promise<number> => {
  const rows = client.query(to(statement));
  // The next part arrives while one is dealt with.
  let taken: Promise<void> = Promise.resolve();
  for await (const part of inParts(rows, partSize)) {
    await taken;
    taken = take(part);
    taken.catch(() => undefined);
  }
  await taken;
  // The count comes after the last row; the connection is ready for the next statement once it has answered this one.
  await client.query('');
  return rows.rowCount;
};

/** `copy … from stdin`. Returns the number of rows. */
export const copyIn = async (
  client: pg.ClientBase,
  statement: string,
  parts: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<number> => {
  const rows = client.query(from(statement));
  await pipeline(parts, rows);
  return rows.rowCount;
};
