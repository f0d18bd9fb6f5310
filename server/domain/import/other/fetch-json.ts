// Asks another service, from public addresses only, as patiently as it wants.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, codeOfStatus, errorTable, type Passes } from '@rowhouse/contract/error.ts';
import { backOff, GiveUp, passing } from '../../../work/job.ts';
import { parseInSlices } from '../../../work/parse-slices.ts';
import { createPause } from '../../../work/slices.ts';
import { fetchFile, statusOf } from '../../file/fetch-file.ts';

const longestAnswer = 50_000_000;
const mostTries = 6;

/** By what it answered; 0: it did not answer. Undefined: the request was never sent, and would not be. */
const passesOf = (error: unknown): Passes => {
  const status = statusOf(error);
  if (status === undefined) return 'no';
  return status === 0 ? 'yes' : errorTable[codeOfStatus(status)].passes;
};

/** Tries a few times what may pass. Then it fails with what it failed with last. */
export const askPatiently = async <T>(
  signal: AbortSignal,
  ask: () => Promise<T>,
  { tries: most = mostTries }: { tries?: number | undefined } = {},
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || tries >= most || passesOf(error) === 'no') throw error;
      const seconds = statusOf(error) === 429 ? passing.longest : backOff(tries, passing);
      await sleep(seconds * 1_000, undefined, { signal });
    }
  }
};

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
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  try {
    for await (const piece of body) {
      signal.throwIfAborted();
      size += piece.length;
      if (size > longestAnswer) throw new GiveUp(`An answer had more than ${longestAnswer} bytes`);
      text += decoder.decode(piece, { stream: true });
    }
  } catch (error) {
    // Broken off in the middle: as good as no answer.
    throw error instanceof GiveUp ? error : Object.assign(error as Error, { answered: 0 });
  }
  return text + decoder.decode();
};

/** What passes is told as that: a job goes on waiting in its row, with the reason, and begins again. A fault of the other service ends it after some tries. */
export const fetchJson = async (
  { url, token, anywhere, signal, tries }: Asking,
  path: string,
): Promise<Record<string, unknown> & unknown[]> => {
  const ask = async (): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const { body } = await fetchFile(url + path, { anywhere, headers, signal });
    // Another service is anybody's: what it answers is read as what anybody sends.
    return parseInSlices(await readAll(body, signal), createPause());
  };
  return (await askPatiently(signal, ask, { tries }).catch((error: unknown) => {
    if (error instanceof GiveUp || signal.aborted) throw error;
    const status = statusOf(error);
    if (status === 401 || status === 403)
      throw new GiveUp(`${new URL(url).host} refused the key (${status}) at ${path}`);
    const message = `${url}${path} could not be read: ${(error as Error).message}`;
    throw passesOf(error) === 'yes' ? new ApiError('service_unavailable', message) : new GiveUp(message);
  })) as never;
};
