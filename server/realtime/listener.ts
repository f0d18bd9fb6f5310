// One open stream: bounded in what it may leave unread, and checked again whenever access may have changed.
import type { Access } from '../catalog/access.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Listening } from '../live.ts';
import { eventText } from './sse.ts';

/** What a slow listener may leave unread before it is cut off; it can come back with Last-Event-ID. */
const maxBacklog = 262_144;
/** More than a socket takes at once, so that it tells when it has taken it. */
const replayBacklog = 65_536;

export interface Listener {
  readonly key: string;
  access: Access;
  readonly isClosed: boolean;
  send(chunk: string | Buffer): void;
  /** For replays: waits until the other side has taken what was sent. */
  drained(): Promise<void>;
  recheck(): Promise<Access>;
  end(reason: string): void;
  /** Ends without a word: the listener will come back. */
  close(): void;
}

export const createListener = ({ outlet, access, recheck }: Listening, onClose: (listener: Listener) => void): Listener => {
  let isClosed = false;
  let wakeUp: (() => void) | undefined;
  const leave = (): void => {
    wakeUp?.();
    if (isClosed) return;
    isClosed = true;
    onClose(listener);
  };
  const listener: Listener = {
    key: recheck.key,
    access,
    get isClosed() {
      return isClosed;
    },
    send(chunk) {
      if (isClosed) return;
      if (outlet.backlog() <= maxBacklog) {
        outlet.write(chunk);
        return;
      }
      leave();
      outlet.cut();
    },
    drained: () =>
      isClosed || outlet.backlog() <= replayBacklog
        ? Promise.resolve()
        : new Promise((resolve) => {
            wakeUp = resolve;
            outlet.onDrain(resolve);
          }),
    recheck: () => recheck.run(),
    end(reason) {
      if (isClosed) return;
      leave();
      outlet.write(eventText('end', JSON.stringify({ reason })));
      outlet.end();
    },
    close() {
      leave();
      outlet.end();
    },
  };
  outlet.onClose(leave);
  return listener;
};

/**
 * Ends the listeners whose access is not what it was at `epoch`, or whose credential has run out; one question for
 * all that share a credential. A database that is away ends nobody: nothing is sent before the answer is known.
 */
export const verify = async (listeners: Iterable<Listener>, epoch: number, now: number): Promise<void> => {
  const asked = new Map<string, Promise<Access>>();
  const waiting: Promise<void>[] = [];
  for (const listener of listeners) {
    const { access } = listener;
    if (access.epoch >= epoch && access.principal.expires > now) continue;
    let answer = asked.get(listener.key);
    if (answer === undefined) {
      answer = listener.recheck();
      asked.set(listener.key, answer);
    }
    waiting.push(
      answer.then(
        (present) => {
          listener.access = present;
        },
        (error: unknown) => {
          if (!(error instanceof ApiError) || error.status >= 500) throw error;
          listener.end(error.message);
        },
      ),
    );
  }
  await Promise.all(waiting);
};
