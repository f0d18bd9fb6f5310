// NOTIFY and LISTEN, on a connection of their own: never in the transaction of a write, whose commit would then
// take a lock that the whole instance shares.
import type pg from 'pg';

const channel = 'rowhouse_live';

export const listen = async (client: pg.Client, hear: (payload: string) => void): Promise<void> => {
  client.on('notification', ({ payload }) => hear(payload ?? ''));
  // A NOTIFY is a commit of its own. What it says is found a second later anyway, so it does not wait for the disk.
  await client.query('set synchronous_commit = off');
  await client.query(`listen ${channel}`);
};

export const notify = async (client: pg.Client, payloads: readonly string[]): Promise<void> => {
  await client.query('select pg_notify($1, payload) from unnest($2::text[]) as given (payload)', [channel, payloads]);
};
