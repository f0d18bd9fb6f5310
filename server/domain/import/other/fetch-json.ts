// Asks the API of another service, from public addresses only, as patiently as it wants.
import { setTimeout as sleep } from 'node:timers/promises';
import { GiveUp } from '../../../work/job.ts';
import { fetchFile, statusOf } from '../../file/fetch-file.ts';

const longestAnswer = 100_000_000;
const mostTries = 6;

export interface Asking {
  /** Where the API is, without a slash at the end. */
  url: string;
  token: string;
  /** Also private addresses. */
  anywhere: boolean;
  signal: AbortSignal;
  /** Absent: a job has time. */
  tries?: number;
}

const readAll = async (body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<string> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    signal.throwIfAborted();
    size += piece.length;
    if (size > longestAnswer) throw new GiveUp(`An answer had more than ${longestAnswer} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
};

export const fetchJson = async (
  { url, token, anywhere, signal, tries: most = mostTries }: Asking,
  path: string,
): Promise<Record<string, unknown> & unknown[]> => {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      const { body } = await fetchFile(url + path, anywhere, {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
      });
      return JSON.parse(await readAll(body, signal)) as never;
    } catch (error) {
      const status = statusOf(error);
      if (error instanceof GiveUp || signal.aborted) throw error;
      if (status === 401 || status === 403)
        throw new GiveUp(`${new URL(url).host} refused the key (${status}) at ${path}`);
      // Too many requests, or a fault that passes.
      const isPassing = status !== undefined && (status === 0 || status === 429 || status >= 500);
      if (!isPassing || tries >= most) throw new GiveUp(`${url}${path} could not be read: ${(error as Error).message}`);
      await sleep(status === 429 ? 30_000 : 1_000 * 2 ** tries, undefined, { signal });
    }
  }
};
