// Query strings: `key[]=a&key[]=b` and repeated `key=a&key=b` are arrays; numbers and booleans are
// recognised where the schema wants them.
import { parse } from 'node:querystring';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { TSchema } from 'typebox';
import { addPair, hasMoreThan, type Pairs } from './pairs.ts';

export type RawQuery = Pairs;

/** More than twice as many ids as an address has room for. */
const mostParameters = 5_000;

/** The router has no place for an error of its parser: the request is refused as soon as there is one. */
const tooMany: Pairs = Object.freeze(Object.create(null));

export const queryFault = (query: unknown): ApiError | undefined =>
  query === tooMany
    ? new ApiError('validation_error', `Validation error: the query string has more than ${mostParameters} parameters`)
    : undefined;

/** One value of `a[]` is a list all the same. */
const beList = (query: Pairs, key: string): void => {
  const earlier = query[key];
  if (!Array.isArray(earlier)) query[key] = earlier === undefined ? [] : [earlier];
};

export const parseQuery = (text: string): Pairs => {
  const query: Pairs = Object.create(null);
  if (text === '') return query;
  if (hasMoreThan(text, mostParameters)) return tooMany;
  for (const [key, value] of Object.entries(parse(text, '&', '=', { maxKeys: 0 }))) {
    const indexed = /^(.+)\[\d*\]$/.exec(key)?.[1];
    if (indexed !== undefined) beList(query, indexed);
    for (const item of [value ?? []].flat()) addPair(query, indexed ?? key, item);
  }
  return query;
};

interface Shape {
  type?: string;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
}

const wants = (shape: Shape, type: string): boolean =>
  shape.type === type || (shape.anyOf?.some((option) => wants(option, type)) ?? false);

/** As programs in other languages write them. */
const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const coerce = (value: string | string[], shape: Shape, isIds: boolean): unknown => {
  if (wants(shape, 'array')) {
    if (wants(shape, 'string')) return value;
    // No id has a comma: several in one value are a list.
    return isIds ? [value].flat().flatMap((each) => each.split(',')) : [value].flat();
  }
  if (Array.isArray(value)) return value;
  if ((wants(shape, 'number') || wants(shape, 'integer')) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (wants(shape, 'boolean') && booleans.has(value.toLowerCase())) return booleans.get(value.toLowerCase());
  return value;
};

export const coerceQuery = (query: Pairs, schema: TSchema): Record<string, unknown> => {
  const shapes = (schema as Shape).properties ?? {};
  const coerced: Record<string, unknown> = { ...query };
  for (const [key, shape] of Object.entries(shapes)) {
    const value = query[key];
    if (value !== undefined) coerced[key] = coerce(value, shape, key.endsWith('Ids'));
  }
  return coerced;
};
