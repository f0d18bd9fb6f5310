// Query strings: `key[]=a&key[]=b` and repeated `key=a&key=b` are arrays; numbers and booleans are
// recognised where the schema wants them.
import { parse } from 'node:querystring';
import type { TSchema } from 'typebox';

export type RawQuery = Record<string, string | string[]>;

export const parseQuery = (text: string): RawQuery => {
  const query: RawQuery = Object.create(null);
  for (const [key, value] of Object.entries(parse(text, '&', '=', { maxKeys: 2_000 }))) {
    if (value === undefined) continue;
    const indexed = /^(.+)\[\d*\]$/.exec(key);
    if (indexed === null) query[key] = value;
    else query[indexed[1] as string] = [query[indexed[1] as string] ?? [], value].flat();
  }
  return query;
};

interface Shape {
  type?: string;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
}

const wants = (shape: Shape, type: string): boolean => shape.type === type || (shape.anyOf?.some((option) => wants(option, type)) ?? false);

const coerce = (value: string | string[], shape: Shape): unknown => {
  if (wants(shape, 'array')) return wants(shape, 'string') ? value : [value].flat();
  if (Array.isArray(value)) return value;
  if ((wants(shape, 'number') || wants(shape, 'integer')) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (wants(shape, 'boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return value;
};

export const coerceQuery = (query: RawQuery, schema: TSchema): Record<string, unknown> => {
  const shapes = (schema as Shape).properties ?? {};
  const coerced: Record<string, unknown> = { ...query };
  for (const [key, shape] of Object.entries(shapes)) {
    const value = query[key];
    if (value !== undefined) coerced[key] = coerce(value, shape);
  }
  return coerced;
};
