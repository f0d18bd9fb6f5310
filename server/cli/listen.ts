// Listening on HOST and PORT, and what to say when that cannot be.
import { createServer } from 'node:net';
import type { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { StartError } from '../db/error.ts';

/** As many as may be open: who comes beyond it waits a second, then two, then four, for the system to ask again. */
const backlog = 10_000;

const explain = (error: unknown, { host, port }: Config): unknown => {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartError(
        `port ${port} of ${host} is in use, perhaps by another Rowhouse: stop that program, or set PORT to another port`,
      );
    case 'EACCES':
      return new StartError(`port ${port} needs rights that this user has not: set PORT to one above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new StartError(`HOST is ${host}, and this machine has no such address`);
    default:
      return error;
  }
};

/** Asked before anything else is started, because the answer is quick. */
export const demandFreePort = (config: Config): Promise<void> =>
  new Promise((free, taken) => {
    const probe = createServer();
    probe.once('error', (error) => taken(explain(error, config)));
    probe.listen({ host: config.host, port: config.port, exclusive: true }, () => probe.close(() => free()));
  });

export const listen = async (app: ReturnType<typeof createApp>, config: Config): Promise<number> => {
  try {
    await app.listen({ host: config.host, port: config.port, backlog });
  } catch (error) {
    throw explain(error, config);
  }
  return (app.server.address() as { port: number }).port;
};

/** For people on this machine: the address of "every interface" is none to open in a browser. */
export const addressOf = (host: string, port: number): string => {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
};
