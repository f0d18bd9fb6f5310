// Where the webhooks of all tenants lead: it notes when each event arrived, by the name of the record that it tells of.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Mailbox {
  url: string;
  /** Milliseconds of the clock of this process; undefined until it has come. */
  arrivalOf: (name: string) => number | undefined;
  close: () => void;
}

interface Told {
  data: { fields?: Record<string, unknown> };
}

export const openMailbox = async (): Promise<Mailbox> => {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.end();
      const { data } = JSON.parse(Buffer.concat(parts).toString()) as Told;
      for (const value of Object.values(data.fields ?? {}))
        if (typeof value === 'string' && !arrivals.has(value)) arrivals.set(value, performance.now());
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivalOf: (name) => arrivals.get(name),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
