// A child process that is told what to do and answers, one order after the other.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Worker {
  pid: number;
  /** Resolves to what the worker answers. */
  ask<T>(order: object): Promise<T>;
  stop(): Promise<void>;
}

const answerOf = <T>(child: ChildProcess, order: object): Promise<T> =>
  new Promise((done, fail) => {
    const ended = (code: number | null): void => fail(new Error(`a worker ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message: { answer?: T; fault?: string }) => {
      child.off('exit', ended);
      if (message.fault === undefined) done(message.answer as T);
      else fail(new Error(message.fault));
    });
    child.send(order);
  });

/** `name` is that of a file beside this one. */
export const startWorker = async (name: string, setting: object): Promise<Worker> => {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const worker: Worker = {
    pid: child.pid as number,
    ask: (order) => answerOf(child, order),
    stop: () =>
      new Promise((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done();
        child.once('exit', () => done());
        child.kill('SIGKILL');
      }),
  };
  await worker.ask(setting);
  return worker;
};

/** In the worker: the first message is the setting, and `prepare` makes of it what carries out the orders. */
export const beWorker = <Setting, Order, Answer>(
  prepare: (setting: Setting) => Promise<(order: Order) => Promise<Answer>>,
): void => {
  let carryOut: ((order: Order) => Promise<Answer>) | undefined;
  process.on('message', (message: Setting & Order) => {
    const work = async (): Promise<unknown> => {
      if (carryOut !== undefined) return carryOut(message);
      carryOut = await prepare(message);
      return null;
    };
    work().then(
      (answer) => process.send?.({ answer }),
      (error: Error) => process.send?.({ fault: error.stack ?? String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
};
