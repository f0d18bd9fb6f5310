// Follows the feeds that a connection needs, each once however many of its subscriptions rest on it. Inside of the process it is a listener
// like those of the streams of events: it is checked and ended with them, and hears what they hear.
import type { EventName } from '@rowhouse/contract/event.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Outlet } from '../../live.ts';

/** Asks for access and begins to listen; throws when the caller may not. */
type Begin = (outlet: Outlet) => Promise<void>;

type Hear = (name: EventName, data: Record<string, unknown>) => void;

interface Following {
  uses: number;
  begun: Promise<void>;
  stop(): void;
}

interface PlaceFollower {
  /** Resolves when everything that is committed from now on is heard. */
  follow(key: string, begin: Begin, hear: Hear): Promise<void>;
  release(key: string): void;
  close(): void;
}

interface Fates {
  /** It was interrupted: what happened meanwhile is not known. */
  resumed(key: string): void;
  /** The caller may no longer listen there. */
  refused(key: string, error: ApiError): void;
}

const retryAfter = 1_000;

const read = (chunk: string | Buffer, hear: Hear): void => {
  for (const block of chunk.toString().split('\n\n')) {
    const name = /^event: (.+)$/m.exec(block)?.[1];
    const data = /^data: (.+)$/m.exec(block)?.[1];
    if (name !== undefined && data !== undefined) hear(name as EventName, JSON.parse(data) as Record<string, unknown>);
  }
};

export const createPlaceFollower = ({ resumed, refused }: Fates): PlaceFollower => {
  const followings = new Map<string, Following>();

  const start = (key: string, begin: Begin, hear: Hear): Following => {
    let isStopped = false;
    let closers: (() => void)[] = [];
    let timer: NodeJS.Timeout | undefined;
    let openedAt = 0;

    const open = async (): Promise<void> => {
      let isOver = false;
      openedAt = performance.now();
      const over = (): void => {
        if (isOver || isStopped) return;
        isOver = true;
        closers = [];
        const wait = openedAt + retryAfter - performance.now();
        timer = setTimeout(() => void again(), Math.max(0, wait)).unref();
      };
      const own: (() => void)[] = [];
      closers = own;
      await begin({
        write: (chunk) => (isOver || isStopped ? undefined : read(chunk, hear)),
        // Nothing waits here: an event only says what is to be read again.
        backlog: () => 0,
        end: over,
        cut: over,
        onClose: (act) => (isStopped ? act() : void own.push(act)),
        onDrain: (act) => act(),
      });
    };

    /** It has ended from the other side: because access was taken away, or because the server could not go on for a moment. */
    const again = async (): Promise<void> => {
      try {
        await open();
        if (!isStopped) resumed(key);
      } catch (error) {
        if (isStopped) return;
        if (error instanceof ApiError && error.passes === 'no') {
          followings.delete(key);
          refused(key, error);
        } else timer = setTimeout(() => void again(), retryAfter).unref();
      }
    };

    return {
      uses: 1,
      begun: open(),
      stop() {
        isStopped = true;
        clearTimeout(timer);
        for (const close of closers) close();
      },
    };
  };

  const stop = (key: string): void => {
    followings.get(key)?.stop();
    followings.delete(key);
  };

  return {
    async follow(key, begin, hear) {
      const known = followings.get(key);
      if (known !== undefined) {
        known.uses += 1;
        return known.begun;
      }
      const following = start(key, begin, hear);
      followings.set(key, following);
      try {
        await following.begun;
      } catch (error) {
        if (followings.get(key) === following) stop(key);
        throw error;
      }
    },
    release(key) {
      const following = followings.get(key);
      if (following !== undefined && --following.uses === 0) stop(key);
    },
    close() {
      for (const key of followings.keys()) stop(key);
    },
  };
};
