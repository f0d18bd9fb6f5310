// Counts the bytes of a file while they arrive: room is asked for before each part is passed on, and the upload ends with the reason when there is none.
// Every upload has a row of its own, so several of one file, or in several processes, are never given the same room. What a killed process leaves counts
// until it is certainly over (`longestUpload`).
import { randomText } from '@rowhouse/contract/id.ts';
import type { Config } from '../../config.ts';
import type { Environment } from '../../context.ts';
import { deleteArrival, type FileOwner, upsertArrival } from './arrival.sql.ts';
import { longestFetch } from './fetch-file.ts';
import { demandRoom, isRefusal } from './waiting-files.ts';

type Needs = Pick<Environment, 'db' | 'config' | 'plans' | 'now' | 'backgroundErrors'>;

/** Room is asked for in parts of so many bytes. A transaction for 8 MB is little beside writing them. */
const part = 8 * 1_048_576;

/** Seconds after which an upload is certainly over: a request has to arrive within the time that clients have. */
export const longestUpload = ({ clientTimeout }: Pick<Config, 'clientTimeout'>): number =>
  Math.max(clientTimeout, longestFetch) + 60;

interface Arrival {
  id: string;
  /** The same pieces, each after there was room for it. */
  counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

/**
 * `work` ends with the statement that makes the arrival into the file (`noteUploaded`, `insertFile`). Whatever ends it otherwise gives the room back.
 * `size`: of the whole, if it is known; at least so many bytes otherwise.
 */
export const receiveFile = async <T>(
  needs: Needs,
  owner: FileOwner,
  { token, size }: { token: string | null; size: number },
  work: (arrival: Arrival) => Promise<T>,
): Promise<T> => {
  const { db } = needs;
  const id = randomText(20);
  let [granted, received] = [0, 0];
  const ask = async (upTo: number): Promise<void> => {
    await db.transaction(async (tx) => {
      await demandRoom(tx, needs, owner, upTo - granted);
      await upsertArrival(tx, id, owner, token, upTo, longestUpload(needs.config));
    });
    granted = upTo;
  };
  const grow = async (): Promise<void> => {
    const wished = Math.max(received, granted + (granted < size ? Math.min(part, size - granted) : part));
    if (token !== null || wished === received) return ask(wished);
    // How much will come is not known: near the limit only what has come is asked for.
    await ask(wished).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      return ask(received);
    });
  };
  const arrival: Arrival = {
    id,
    async *counted(body) {
      for await (const piece of body) {
        received += piece.length;
        // What is longer than announced is refused by the storage, which counts too.
        if (received > granted && (token === null || received <= size)) await grow();
        yield piece;
      }
    },
  };
  try {
    return await work(arrival);
  } catch (error) {
    await deleteArrival(db, id).catch((fault: unknown) => needs.backgroundErrors.note('giving back room', fault));
    throw error;
  }
};
