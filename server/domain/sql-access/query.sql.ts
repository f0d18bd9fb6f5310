// A query of somebody else, on a connection of its own whose role may read one base and nothing else: whatever the text does to its session, there is nothing behind it. Switching
// the role of a connection of the server would not do: a query can switch it back.
import type pg from 'pg';

/** Of one row in characters. Longer ones would have to be in memory before they could be refused. */
const mostOfRow = 1_000_000;
const portion = 10;

const trimmed = (text: string): string => text.trim().replace(/;+$/, '');

export interface SqlLimits {
  rows: number;
  bytes: number;
  seconds: number;
}

interface SqlAnswer {
  /** Each row as JSON. */
  rows: string[];
  hasMore: boolean;
}

export class TooMuch extends Error {}

/** `extended`: the protocol takes one statement and no more. */
const send = async <Row>(client: pg.Client, text: string): Promise<Row[]> =>
  ((await client.query({ text, queryMode: 'extended' } as pg.QueryConfig)) as pg.QueryResult).rows as Row[];

/** A cursor takes what reads and nothing else. */
export const readBySql = async (
  client: pg.Client,
  baseId: string,
  text: string,
  limits: SqlLimits,
): Promise<SqlAnswer> => {
  await send(client, 'begin transaction read only');
  await send(client, `set local statement_timeout = '${limits.seconds}s'`);
  await send(client, "set local timezone = 'UTC'");
  await send(client, `set local search_path = "${baseId}"`);
  await send(
    client,
    `declare answer no scroll cursor for
       select case when length(one.text) <= ${mostOfRow} then one.text end as text
       from (select row_to_json(given)::text as text from (\n${trimmed(text)}\n) given) one`,
  );
  const rows: string[] = [];
  let bytes = 0;
  while (rows.length <= limits.rows) {
    const some = await send<{ text: string | null }>(client, `fetch ${portion} from answer`);
    for (const { text: row } of some) {
      bytes += row === null ? Number.POSITIVE_INFINITY : Buffer.byteLength(row);
      if (bytes > limits.bytes) throw new TooMuch();
      rows.push(row as string);
    }
    if (some.length < portion) break;
  }
  return { rows: rows.slice(0, limits.rows), hasMore: rows.length > limits.rows };
};
