// Worker that sends one statement again and again, one connection per client.
import pg from 'pg';
import { type Done, doStint, type Stint } from '../process/script.ts';
import { beWorker } from '../process/worker.ts';

interface RawQueryLoad {
  url: string;
  clients: number;
  text: string;
}

// Text as it comes over the wire: what the API answers is text too.
const types = { getTypeParser: () => (text: unknown) => text };

beWorker<RawQueryLoad, Stint, Done>(async ({ url, clients, text }) => {
  const connections = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  return (stint) =>
    doStint(clients, stint, async (client) => {
      await (connections[client] as pg.Client).query({ name: 'raw', text, rowMode: 'array', types: types as never });
    });
});
