// How long `/health` takes while something goes on. Asked from a thread of its own: the one that attacks is busy itself, and would
// take its own delays for those of the server.
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { newDataFolder } from '../program.ts';

const asking = `
  const { parentPort, workerData: origin } = require('node:worker_threads');
  let slowest = 0, isOver = false;
  parentPort.once('message', () => (isOver = true));
  (async () => {
    do {
      const begun = performance.now();
      await fetch(origin + '/health').then((answer) => answer.text(), () => (slowest = Infinity));
      slowest = Math.max(slowest, performance.now() - begun);
      await new Promise((done) => setTimeout(done, 20));
    } while (!isOver);
    parentPort.postMessage(slowest);
  })();
  fetch(origin + '/health').then(() => parentPort.postMessage('ready'));
`;

/** The slowest answer in ms while the work goes on. */
export const watchHealth = async <T>(
  origin: string,
  work: () => Promise<T>,
): Promise<{ result: T; slowest: number }> => {
  const worker = new Worker(asking, { eval: true, workerData: origin });
  const heard = (): Promise<unknown> => new Promise((done, fail) => worker.once('message', done).once('error', fail));
  try {
    await heard();
    const result = await work();
    const slowest = heard();
    worker.postMessage('over');
    return { result, slowest: Math.round((await slowest) as number) };
  } finally {
    await worker.terminate();
  }
};

/** The settings of a server that measures the turns of its event loop, and what asks it. */
export const watchEventLoop = (): { env: Record<string, string>; longestTurn: () => Promise<number> } => {
  const socket = join(dirname(newDataFolder()), 'socket');
  const file = fileURLToPath(new URL('event-loop.cjs', import.meta.url));
  return {
    env: { NODE_OPTIONS: `--require=${file}`, PROOF_EVENT_LOOP: socket },
    // In ms of a processor, since it was asked last.
    longestTurn: async () => Math.round(Number(await text(connect(socket)))),
  };
};
