// Fetches a file from an address that a user gave. The address that is connected to is the one that was looked at: names are
// resolved once, by the connection itself. Redirections are followed a few times, each looked at like the first.
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { invalid } from '@rowhouse/contract/error.ts';
import { answerOf } from './answer-of.ts';
import { type AddressRule, guardedLookup, literalAddress } from './guarded-lookup.ts';
import { isPublicAddress } from './public-address.ts';

const mostRedirections = 5;
/** Milliseconds in which nothing comes. */
const patience = 20_000;
/** Seconds for all of it. */
export const longestFetch = 600;

const refusal = (message: string): Error =>
  invalid({
    path: 'fileUrl',
    message: `Url reject: ${message}`,
    expected: 'the http or https address of a file on the public Internet',
  });

const allowedBy = (anywhere: boolean): AddressRule => (anywhere ? () => true : isPublicAddress);

const readUrl = (text: string, base?: string): URL => {
  if (!URL.canParse(text, base)) throw refusal('it is not an address');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refusal(`${url.protocol} is not fetched from`);
  if (url.username !== '' || url.password !== '') throw refusal('it holds a password');
  return url;
};

/** What the other side answered, when it was not the file; 0 when it did not answer. */
export const statusOf = (error: unknown): number | undefined => (error as { answered?: number }).answered;

const get = (
  url: URL,
  anywhere: boolean,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<IncomingMessage> => {
  const host = literalAddress(url);
  if (host !== undefined && !allowedBy(anywhere)(host)) throw refusal(`${host} is not a public address`);
  const options: RequestOptions = {
    lookup: guardedLookup(allowedBy(anywhere), (name) => refusal(`${name} is not a public address`)),
    signal,
    headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Rowhouse', ...headers },
    timeout: patience,
    agent: false,
  };
  const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, options);
  request.once('timeout', () => request.destroy(new Error('nothing came for 20 seconds'))).end();
  return answerOf(request);
};

interface Fetched {
  body: AsyncIterable<Buffer>;
  /** Null: it was not told. */
  size: number | null;
  mimetype: string;
  name: string;
  cancel(): void;
}

const nameOf = (url: URL): string => {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || 'downloaded_file';
  } catch {
    return last;
  }
};

const describe = (error: unknown): Error => {
  const { code, message } = error as { code?: unknown; message: string };
  if (code === 'validation_error') return error as Error;
  // A name that nobody has is not waited for.
  return code === 'ENOTFOUND' ? refusal(message) : Object.assign(refusal(message), { answered: 0 });
};

interface Wanted {
  /** Also from private networks, when the operator says so. */
  anywhere: boolean;
  /** For the address that was given, not for where it leads. */
  headers?: Record<string, string>;
  /** Nobody wants it any more. */
  signal?: AbortSignal;
}

export const fetchFile = async (text: string, { anywhere, headers = {}, signal }: Wanted): Promise<Fetched> => {
  const ending = new AbortController();
  const timer = setTimeout(
    () => ending.abort(new Error('it took longer than 10 minutes')),
    longestFetch * 1_000,
  ).unref();
  const ended = signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]);
  try {
    let url = readUrl(text);
    const { origin } = url;
    for (let hops = 0; ; hops += 1) {
      const answer = await get(url, anywhere, ended, url.origin === origin ? headers : {});
      const { statusCode = 0, headers: told } = answer;
      if (statusCode >= 300 && statusCode < 400 && told.location !== undefined) {
        answer.destroy();
        if (hops === mostRedirections) throw refusal('it is redirected too often');
        url = readUrl(told.location, url.href);
        continue;
      }
      if (statusCode !== 200) {
        answer.destroy();
        throw Object.assign(refusal(`the answer was ${statusCode}`), { answered: statusCode });
      }
      answer.once('close', () => clearTimeout(timer));
      const length = Number(told['content-length']);
      return {
        body: answer,
        size: told['content-length'] !== undefined && Number.isSafeInteger(length) ? length : null,
        mimetype: told['content-type'] ?? 'application/octet-stream',
        name: nameOf(url),
        cancel: () => answer.destroy(),
      };
    }
  } catch (error) {
    clearTimeout(timer);
    throw describe(error);
  }
};
