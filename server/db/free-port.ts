import { createServer } from 'node:net';

/** A port of loopback that nobody listens on at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((found, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });
