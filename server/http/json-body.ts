// JSON bodies. Fastify's own reading says only that something is wrong with one; the sender wants to know where.
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { largeBody, mayBeLarge, readBody } from './body.ts';
import { faultOf } from './json-fault.ts';
import { changedInteger } from './json-integers.ts';
import { createPause } from '../work/slices.ts';
import { parseInSlices } from '../work/parse-slices.ts';
import { createJsonScan, type JsonExcess, type JsonLimits } from '../work/json-scan.ts';

interface JsonOptions {
  bodyLimit: number;
  recordsPerRequest: number;
}

/** Levels and keys: far more than anything that is asked for here. Values: some 140 cells for each record. */
export const limitsFor = ({ recordsPerRequest }: JsonOptions): JsonLimits => ({
  levels: 500,
  keys: 10_000,
  values: Math.max(3_000_000, 150 * recordsPerRequest),
});

/** JSON.parse takes up to 40 ms for less. In slices it takes three times as long in all, most of which is finding where to cut. */
const slicedBody = 4_000_000;

const tooMuch = (excess: JsonExcess, limits: JsonLimits): ApiError => {
  const message = {
    levels: `the body is nested more than ${limits.levels} levels deep`,
    keys: `the body has an object of more than ${limits.keys} keys`,
    values: `the body holds more than ${limits.values} values; send it in parts`,
  }[excess];
  return new ApiError('validation_error', `Validation error: ${message}`);
};

const placeOf = (text: string, place: number): string => {
  let [line, start] = [1, 0];
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', start)) {
    line += 1;
    start = at + 1;
  }
  return `line ${line}, column ${place - start + 1}`;
};

const shortened = (literal: string): string => (literal.length > 40 ? `${literal.slice(0, 37)}…` : literal);

const notJson = (text: string, { message }: SyntaxError): ApiError => {
  const fault = faultOf(text, message);
  if (fault === undefined)
    return new ApiError('validation_error', `Validation error: the body is not valid JSON (${message})`);
  return new ApiError('validation_error', `Validation error: the body is not valid JSON (${placeOf(text, fault)})`);
};

/** What would be replaced by another character, and so be changed without a word. */
const notUtf8 = (body: Buffer): ApiError => {
  // The longest beginning that is, found in halves. One may end within a character, which has four bytes at most.
  const wholeUpTo = (length: number): number | undefined =>
    [0, 1, 2, 3].map((less) => Math.max(0, length - less)).find((end) => isUtf8(body.subarray(0, end)));
  let [whole, broken] = [0, body.length];
  while (broken - whole > 1) {
    const middle = Math.floor((whole + broken) / 2);
    if (wholeUpTo(middle) === undefined) broken = middle;
    else whole = middle;
  }
  return new ApiError(
    'validation_error',
    `Validation error: the body is not UTF-8 (at byte ${(wholeUpTo(whole) ?? 0) + 1})`,
  );
};

const refuseChangedInteger = (body: Buffer): void => {
  const found = changedInteger(body);
  if (found === undefined) return;
  const place = placeOf(body.toString(), body.subarray(0, found.at).toString().length);
  throw new ApiError(
    'validation_error',
    `Validation error: the number ${shortened(found.literal)} (${place}) cannot be kept exactly; send a number of at most 15 digits, or text`,
  );
};

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw error instanceof SyntaxError ? notJson(json, error) : error;
  }
};

export const parseJson = (body: Buffer): unknown => {
  if (!isUtf8(body)) throw notUtf8(body);
  const text = body.toString();
  const json = text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text;
  // No body is no body, also when it comes in no pieces.
  if (json === '') return undefined;
  const value = parse(json);
  refuseChangedInteger(body);
  return value;
};

/** The same for a large body, so that others are answered meanwhile. Where the fault is in it, is not looked for. */
const parseLargeJson = async (body: Buffer): Promise<unknown> => {
  if (!isUtf8(body)) throw notUtf8(body);
  // Putting 50 MB together, and making a text of them, are two turns.
  await turn();
  const pause = createPause();
  const text = body.toString();
  await turn();
  try {
    const value = await parseInSlices(text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text, pause);
    refuseChangedInteger(body);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ApiError('validation_error', 'Validation error: the body is not valid JSON');
  }
};

export const addJson = (app: FastifyInstance, options: JsonOptions): void => {
  const limits = limitsFor(options);
  // Looking takes as long as reading. In a body that is not large JSON.parse can do no more harm than a list of short
  // lists does, which is allowed.
  const looker = (announced: number): ((piece: Buffer) => void) => {
    const scan = createJsonScan(limits);
    let unseen: Buffer[] = [];
    let size = announced;
    return (arrived) => {
      if (announced === 0) size += arrived.length;
      unseen.push(arrived);
      if (size <= largeBody) return;
      for (const piece of unseen) {
        const excess = scan(piece);
        if (excess !== undefined) throw tooMuch(excess, limits);
      }
      unseen = [];
    };
  };
  const ignore = (): void => undefined;
  const lookerFor = (request: FastifyRequest): ((piece: Buffer) => void) => {
    const announced = Number(request.raw.headers['content-length'] ?? 0);
    return mayBeLarge(request) && (announced === 0 || announced > largeBody) ? looker(announced) : ignore;
  };
  // Nothing here is sent as text, and JSON that says it is text is a mistake to be told of.
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const limit = Math.min(options.bodyLimit, request.routeOptions.config.jsonLimit ?? Number.POSITIVE_INFINITY);
    const body = await readBody(request, payload, limit, lookerFor(request));
    return body.length > slicedBody ? parseLargeJson(body) : parseJson(body);
  });
};
