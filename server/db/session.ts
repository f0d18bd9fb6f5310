// A transaction on a connection of its own, for work that also needs the connection itself: COPY.
import pg from 'pg';
import { copyIn } from './copy.ts';
import type { Tx } from './db.ts';
import { connectionOptions } from './db.ts';
import { compile, Sql } from './sql.ts';

export interface Session extends Tx {
  readonly client: pg.Client;
}

/** On a connection that nobody else uses. */
export const sessionOn = (client: pg.Client): Session => {
  // As everywhere: what the API speaks.
  client.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());
  client.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));
  const session: Session = {
    kind: 'transaction',
    identity: client,
    client,
    transaction: (work) => work(session),
    copyIn: (statement, parts) => copyIn(client, compile(statement).text, parts),
    async query<Row>(statement: Parameters<Tx['query']>[0]) {
      const { text, values } = statement instanceof Sql ? compile(statement) : statement;
      // One statement at a time, whatever stands in it.
      return (await client.query({ text, values, queryMode: 'extended' } as pg.QueryConfig)).rows as Row[];
    },
  };
  return session;
};

export const openSession = async (url: string): Promise<Session> => {
  const client = new pg.Client(connectionOptions(url));
  client.on('error', () => undefined);
  await client.connect();
  return sessionOn(client);
};
