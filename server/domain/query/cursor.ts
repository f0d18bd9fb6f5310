// Cursors: where a page ended, as the values of its sort keys. Opaque to clients, bound to the order they were made in.
import { hash } from 'node:crypto';
import { invalid } from '@rowhouse/contract/error.ts';
import { isStorable } from '@rowhouse/contract/text.ts';
import type { SortKey } from './sort-key.sql.ts';

export type KeyValues = (string | null)[];

const signatureOf = (keys: readonly SortKey[]): string =>
  hash('sha1', keys.map(({ name, order, type }) => `${name} ${order} ${type}`).join(), 'base64url').slice(0, 8);

/** How cursors are written for some, and read again. */
interface Envelope {
  seal(text: string): Buffer;
  unseal(sealed: Buffer): string | undefined;
}

/** For visitors of a share: the last key is the number of a record, from which they could tell how many are kept from them. A cursor of another table is none here. */
export const sealedFor = (secretKey: Envelope, tableId: string): Envelope => ({
  seal: (text) => secretKey.seal(tableId + text),
  unseal(sealed) {
    const text = secretKey.unseal(sealed);
    return text?.startsWith(tableId) === true ? text.slice(tableId.length) : undefined;
  },
});

const open: Envelope = { seal: (text) => Buffer.from(text), unseal: (bytes) => bytes.toString() };

export const writeCursor = (keys: readonly SortKey[], values: KeyValues, envelope = open): string =>
  envelope.seal(JSON.stringify([signatureOf(keys), ...values])).toString('base64url');

const refuse = (message: string): Error =>
  invalid({ path: 'query.cursor', message, expected: 'the nextCursor of a page in the same order' });

/** `24:00`, 30 February and the year 0 are no times to PostgreSQL. */
const isTime = (value: string, offset: RegExp): boolean => {
  const match = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(.*)$/.exec(value);
  if (match === null || value.startsWith('0000') || !offset.test(match[4] as string)) return false;
  const day = new Date(`${match[1]}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(match[1] as string);
};

/** What clocks show at the first and the last instants there are may be of the year before or after. */
const beyond = /^(0001-(12-31|12-01|01-01)T([01]\d|2[0-3]):[0-5]\d:00 BC|10000-01-01T([01]\d|2[0-3]):[0-5]\d:00)$/;

/** Neither too large nor too small for a double. */
const isDouble = (value: string): boolean =>
  /^-?\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?$/.test(value) &&
  Number.isFinite(Number(value)) &&
  (Number(value) !== 0 || !/[1-9]/.test(value.split('e')[0] as string));

const fits: Record<SortKey['type'], (value: string) => boolean> = {
  text: isStorable,
  'double precision': isDouble,
  boolean: (value) => value === 'true' || value === 'false',
  timestamptz: (value) => isTime(value, /^[+-](0\d|1[0-4]):[0-5]\d$/),
  timestamp: (value) => isTime(value, /^$/) || beyond.test(value),
  bigint: (value) => /^-?\d{1,18}$/.test(value),
  integer: (value) => /^-?\d{1,9}$/.test(value),
  'integer[]': (value) => /^\{((\d{1,9}|NULL)(,(\d{1,9}|NULL))*)?\}$/.test(value),
};

/** Values are checked here, so that a forged cursor is a 400 and never reaches PostgreSQL as a bad number or date. */
export const readCursor = (keys: readonly SortKey[], cursor: string, envelope = open): KeyValues => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(envelope.unseal(Buffer.from(cursor, 'base64url')) ?? '');
  } catch {
    throw refuse('This is not a cursor');
  }
  if (!Array.isArray(parsed)) throw refuse('This is not a cursor');
  const [signature, ...values] = parsed as unknown[];
  if (signature !== signatureOf(keys)) throw refuse('The cursor belongs to another order of the records');
  const fit =
    values.length === keys.length &&
    keys.every(({ type, canBeNull }, at) => {
      const value = values[at];
      return value === null ? canBeNull : typeof value === 'string' && fits[type](value);
    });
  if (!fit) throw refuse('This is not a cursor');
  return values as KeyValues;
};
