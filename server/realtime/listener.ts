// One open stream: bounded in what it may leave unread, and checked again whenever access may have changed.
import { selectEpochs } from '../catalog/access.sql.ts';
import { type Access, presentEpoch, restsOn } from '../catalog/access.ts';
import type { Queryable } from '../db/db.ts';
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

export const createListener = (
  { outlet, access, recheck }: Listening,
  onClose: (listener: Listener) => void,
): Listener => {
  let isClosed = false;
  let wakeUp: (() => void) | undefined;
  const leave = (): void => {
    wakeUp?.();
    if (isClosed) return;
    isClosed = true;
    onClose(listener);
  };
  const listener: Listener = {
    key: recheck.key(),
    access,
    get isClosed() {
      return isClosed;
    },
    send(chunk) {
      if (isClosed) return;
      if (outlet.backlog() <= maxBacklog) {
        outlet.write(chunk, listener.access);
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
      outlet.write(eventText('end', JSON.stringify({ reason })), listener.access);
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

/** Whose epochs their access rests on. */
export const idsOf = (listeners: Iterable<Listener>): string[] => [
  ...new Set([...listeners].flatMap(({ access }) => restsOn(access))),
];

/**
 * Ends the listeners whose access is not what it was, by the epochs of what it rests on (`'unknown'`: it is asked in any
 * case), or whose credential has run out; one question for all that share a credential. A database that is away ends nobody: nothing is sent before the answer is known.
 */
export const verify = async (
  listeners: Iterable<Listener>,
  epochs: ReadonlyMap<string, number> | 'unknown',
  now: number,
): Promise<void> => {
  const asked = new Map<string, Promise<Access>>();
  const waiting: Promise<void>[] = [];
  for (const listener of listeners) {
    const { access } = listener;
    if (epochs !== 'unknown' && access.epoch >= presentEpoch(access, epochs) && access.principal.expires > now)
      continue;
    let answer = asked.get(listener.key);
    if (answer === undefined) {
      answer = listener.recheck();
      asked.set(listener.key, answer);
    }
    waiting.push(
      answer.then(
        (present) => {
          // Under other rules what they have read may be more, or less, than what there is for them.
          const isOther = listener.access.rights.bound?.key !== present.rights.bound?.key;
          listener.access = present;
          if (isOther) listener.send(eventText('reload', '{}'));
        },
        (error: unknown) => {
          if (!(error instanceof ApiError) || error.passes !== 'no') throw error;
          listener.end(error.message);
        },
      ),
    );
  }
  await Promise.all(waiting);
};

/** By what the database says now; nobody is asked about whom nothing has changed. */
export const verifyNow = async (db: Queryable, listeners: readonly Listener[], now: number): Promise<void> => {
  if (listeners.length > 0) await verify(listeners, await selectEpochs(db, idsOf(listeners)), now);
};
