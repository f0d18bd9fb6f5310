// When tokens and sessions were last used, without a write per request: noted in memory, written down together,
// soon after the first use and then every 15 seconds at most. What a crash loses is a quarter of a minute.
import type { Db } from '../db/db.ts';
import type { BackgroundErrors } from '../background-errors.ts';
import type { Credential } from './access.sql.ts';
import { type SessionTimes, updateLastSeen, updateLastUsed } from './last-used.sql.ts';

export interface LastUsed {
  note(credential: Credential): void;
  /** Writes down what is noted; ends the timer. */
  close(): Promise<void>;
}

const interval = 15_000;
const soon = 500;

export const createLastUsed = (db: Db, backgroundErrors: BackgroundErrors, lasting: SessionTimes): LastUsed => {
  const tokens = new Map<string, number>();
  const sessions = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writtenAt = 0;

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writtenAt = Date.now();
    const usedTokens = [...tokens];
    const usedSessions = [...sessions];
    tokens.clear();
    sessions.clear();
    const times = (used: [string, number][]): Date[] => used.map(([, time]) => new Date(time));
    if (usedTokens.length > 0) {
      await updateLastUsed(
        db,
        usedTokens.map(([id]) => id),
        times(usedTokens),
      );
    }
    if (usedSessions.length > 0) {
      await updateLastSeen(
        db,
        usedSessions.map(([hash]) => Buffer.from(hash, 'latin1')),
        times(usedSessions),
        lasting,
      );
    }
  };

  return {
    note(credential) {
      if (credential.kind === 'token') tokens.set(credential.id, Date.now());
      else sessions.set(credential.hash.toString('latin1'), Date.now());
      // A database that is away at that moment costs one time of last use, not an error.
      timer ??= setTimeout(
        () => void flush().catch((error: unknown) => backgroundErrors.note('times of last use', error)),
        Math.max(soon, writtenAt + interval - Date.now()),
      ).unref();
    },
    close: () => flush().catch(() => undefined),
  };
};
