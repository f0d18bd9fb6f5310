// One start at a time per data folder. The name of an abstract socket is free again the moment its process
// ends, however it ends, which no lock file is.
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const take = (name: string): Promise<(() => Promise<void>) | undefined> =>
  new Promise((settle, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? settle(undefined) : fail(error),
    );
    server.listen({ path: name }, () => {
      server.unref();
      settle(() => new Promise((closed) => server.close(() => closed())));
    });
  });

export const underStartLock = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  // Elsewhere PostgreSQL's own postmaster.pid has to do: only containers use process ids again so soon.
  if (process.platform !== 'linux') return work();
  const { dev, ino } = statSync(folder);
  const name = `\0rowhouse-start-${dev}-${ino}`;
  let release = await take(name);
  while (release === undefined) {
    await sleep(50);
    release = await take(name);
  }
  try {
    return await work();
  } finally {
    await release();
  }
};
