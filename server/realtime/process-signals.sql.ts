// NOTIFY and LISTEN, on a connection of their own: never in the transaction of a write, whose commit would then
// take a lock that the whole instance shares. The name of the channel is a secret of the instance: roles of SQL access can
// listen and notify too, and must neither hear what is told nor be taken for a process.
import pg from 'pg';

/** Answers the name of the channel. */
export const listen = async (client: pg.Client, hear: (payload: string) => void): Promise<string> => {
  const { rows } = await client.query<{ channel: string }>('select signal_channel as channel from rowhouse.instance');
  const channel = rows[0]?.channel;
  if (channel === undefined)
    throw new Error('the table rowhouse.instance is empty, so there is no channel for signals');
  client.on('notification', (message) => message.channel === channel && hear(message.payload ?? ''));
  // A NOTIFY is a commit of its own. What it says is found a second later anyway, so it does not wait for the disk.
  await client.query('set synchronous_commit = off');
  await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  return channel;
};

export const notify = async (client: pg.Client, channel: string, payloads: readonly string[]): Promise<void> => {
  await client.query('select pg_notify($1, payload) from unnest($2::text[]) as given (payload)', [channel, payloads]);
};
