// Files in a bucket of a service that speaks S3. Bodies go through this process piece by piece: what it holds of a file is one
// piece. Where clients can reach the service themselves, they are sent there: what they upload lies aside until it is taken, for
// the address that they were given stays good for some time, and nothing is ever written over.
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { answerOf } from './answer-of.ts';
import { encoded, readS3Url, signedUrl } from './s3-url.ts';
import { type DirectStorage, SizeMismatch, type Storage } from '../../stored-files.ts';

const lifetime = 900;
/** Milliseconds in which nothing moves. */
const patience = 60_000;

type Method = 'GET' | 'PUT' | 'HEAD' | 'DELETE';

const ask = async (
  url: string,
  method: Method,
  headers: Record<string, string | number>,
  body?: AsyncIterable<Uint8Array>,
): Promise<IncomingMessage> => {
  const request = (url.startsWith('https:') ? requestSecure : requestPlain)(url, { method, headers });
  request.setTimeout(patience, () => request.destroy(new Error('the storage of files does not answer')));
  const answer = answerOf(request);
  answer.catch(() => undefined);
  if (body === undefined) request.end();
  else await pipeline(Readable.from(body, { objectMode: false }), request);
  return answer;
};

const failure = async (answer: IncomingMessage): Promise<Error> => {
  let text = '';
  for await (const piece of answer) if (text.length < 500) text += String(piece);
  return new Error(`the storage of files answered ${answer.statusCode}: ${text.slice(0, 500)}`);
};

/** Fails before the last bytes are sent, so that the service keeps nothing of it. */
async function* counted(body: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const piece of body) {
    sent += piece.length;
    if (sent > size) throw new SizeMismatch(sent, size);
    yield piece;
  }
  if (sent !== size) throw new SizeMismatch(sent, size);
}

/** Seconds in which a client may begin to read. */
const readLifetime = 3_600;

const asideOf = (key: string): string => `${key}.incoming`;

/** `publicUrl`: where clients reach the service; null: they do not. */
export const createS3Storage = (settings: string, publicUrl: string | null = null): Storage => {
  const place = readS3Url(settings);
  const urlFor = (method: Method, key: string): string => signedUrl(place, method, key, new Date(), lifetime);
  const sizeOf = async (key: string): Promise<number | undefined> => {
    const answer = await ask(urlFor('HEAD', key), 'HEAD', {});
    answer.resume();
    if (answer.statusCode === 404) return undefined;
    if (answer.statusCode !== 200) throw await failure(answer);
    return Number(answer.headers['content-length']);
  };
  const removeOne = async (key: string): Promise<void> => {
    const answer = await ask(urlFor('DELETE', key), 'DELETE', {});
    if (answer.statusCode !== 204 && answer.statusCode !== 200 && answer.statusCode !== 404)
      throw await failure(answer);
    answer.resume();
  };
  const direct = (origin: string): DirectStorage => ({
    uploadUrl: (key, size, mimetype, seconds) =>
      signedUrl({ ...place, origin }, 'PUT', asideOf(key), new Date(), seconds, {
        headers: { 'content-length': String(size), 'content-type': mimetype.trim().replace(/ +/g, ' ') },
      }),
    sentSize: (key) => sizeOf(asideOf(key)),
    forgetSent: (key) => removeOne(asideOf(key)),
    async take(key, size) {
      const aside = asideOf(key);
      if ((await sizeOf(key)) !== undefined || (await sizeOf(aside)) !== size) return;
      const headers = { 'x-amz-copy-source': `/${encoded(place.bucket)}/${encoded(aside)}` };
      const answer = await ask(signedUrl(place, 'PUT', key, new Date(), lifetime, { headers }), 'PUT', {
        ...headers,
        'content-length': 0,
      });
      if (answer.statusCode !== 200) {
        const fault = await failure(answer);
        // Somebody else may have taken it between the look and the copy.
        if ((await sizeOf(key)) === size) return;
        throw fault;
      }
      answer.resume();
      // A copy that fails late is answered with 200, too. Meanwhile another one of the same length may have been sent, which is as good.
      if ((await sizeOf(key)) === size) await removeOne(aside);
    },
    readUrl: (key, mimetype, disposition, seconds = readLifetime) =>
      signedUrl({ ...place, origin }, 'GET', key, new Date(), seconds, {
        query: { 'response-content-type': mimetype, 'response-content-disposition': disposition },
      }),
  });
  return {
    async write(key, body, size) {
      // The first whole one stays, as in a folder.
      const drain = async (): Promise<void> => {
        for await (const piece of counted(body, size)) void piece;
      };
      if ((await sizeOf(key)) === size) return drain();
      const answer = await ask(urlFor('PUT', key), 'PUT', { 'content-length': size }, counted(body, size));
      if (answer.statusCode !== 200) throw await failure(answer);
      answer.resume();
    },
    async *read(key, first, last) {
      if (last < first) return;
      const answer = await ask(urlFor('GET', key), 'GET', { range: `bytes=${first}-${last}` });
      if (answer.statusCode !== 206 && answer.statusCode !== 200) throw await failure(answer);
      for await (const piece of answer) yield piece as Buffer;
    },
    size: sizeOf,
    async remove(key) {
      await removeOne(key);
      if (publicUrl !== null) await removeOne(asideOf(key));
    },
    ...(publicUrl === null ? {} : { direct: direct(new URL(publicUrl).origin) }),
  };
};
