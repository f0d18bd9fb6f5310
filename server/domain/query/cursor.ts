// Cursors: where a page ended, as the values of its sort keys. Opaque to clients, bound to the order they were made in.
import { createHash } from 'node:crypto';
import { invalid } from '@rowhouse/contract/error.ts';
import { isStorable } from '@rowhouse/contract/text.ts';
import type { SortKey } from './sort-key.sql.ts';

export type KeyValues = (string | null)[];

const signatureOf = (keys: readonly SortKey[]): string =>
  createHash('sha1')
    .update(keys.map(({ name, order, type }) => `${name} ${order} ${type}`).join())
    .digest('base64url')
    .slice(0, 8);

export const writeCursor = (keys: readonly SortKey[], values: KeyValues): string => Buffer.from(JSON.stringify([signatureOf(keys), ...values])).toString('base64url');

const refuse = (message: string): Error => invalid({ path: 'query.cursor', message, expected: 'the nextCursor of a page in the same order' });

const forms: Record<SortKey['type'], RegExp> = {
  text: /^/,
  'double precision': /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/,
  boolean: /^(true|false)$/,
  timestamptz: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d){0,2}$/,
  timestamp: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/,
  bigint: /^-?\d{1,18}$/,
  integer: /^-?\d{1,9}$/,
  'integer[]': /^\{((\d{1,9}|NULL)(,(\d{1,9}|NULL))*)?\}$/,
};

/** Values are checked here, so that a forged cursor is a 400 and never reaches PostgreSQL as a bad number or date. */
export const readCursor = (keys: readonly SortKey[], cursor: string): KeyValues => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refuse('This is not a cursor');
  }
  if (!Array.isArray(parsed)) throw refuse('This is not a cursor');
  const [signature, ...values] = parsed as unknown[];
  if (signature !== signatureOf(keys)) throw refuse('The cursor belongs to another order of the records');
  const fit = values.length === keys.length && keys.every(({ type, canBeNull }, at) => {
    const value = values[at];
    return value === null ? canBeNull : typeof value === 'string' && isStorable(value) && forms[type].test(value) && (!type.startsWith('time') || !Number.isNaN(Date.parse(value.slice(0, 10))));
  });
  if (!fit) throw refuse('This is not a cursor');
  return values as KeyValues;
};
