// Counts, headers and statistics of a large table that took long are kept in this process, with the place in the feed of the base where they were read. They are the answer for as long as nothing has been
// written to the table since, which is asked each time: an answer is never older than its question. See docs/adr/0212-answers-that-nothing-has-changed.md.
import { hash } from 'node:crypto';
import type { CellKind } from '@rowhouse/contract/field.ts';
import { isQuietSince, selectFeedPlace } from '../../../catalog/quiet.sql.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/db.ts';
import { compile, type Sql } from '../../../db/sql.ts';
import { cellTypeOf } from '../../cell/types.ts';
import type { Level } from '../../query/group-key.sql.ts';
import type { Asked } from '../../query/resolve-query.ts';

/** Tests set it. Milliseconds from which on an answer is worth keeping. */
export const limits = { slow: 40 };

const capacity = 500;
/** Characters of an answer as JSON. */
const longest = 20_000;

interface Kept {
  /** Null: it took long, and was not kept yet. */
  answer: { place: number; text: string } | null;
}

const kept = new WeakMap<object, Map<string, Kept>>();

const keptOf = (db: Db): Map<string, Kept> => {
  const known = kept.get(db.identity) ?? new Map<string, Kept>();
  kept.set(db.identity, known);
  return known;
};

const plainKinds: readonly CellKind[] = ['text', 'number', 'date', 'boolean', 'choice'];

/** Its cells are what was written to them: no other record, no person and no time has a part in them. */
const isPlain = (field: FieldSchema): boolean =>
  (field.computed ?? null) === null && field.isLookup !== true && plainKinds.includes(cellTypeOf(field).kind);

const rests = (asked: Asked, fields: readonly FieldSchema[]): boolean =>
  asked.filterLinkCellCandidate === undefined && asked.filterLinkCellSelected === undefined && fields.every(isPlain);

export const levelNames = (levels: readonly Level[]): string[][] => levels.map(({ field, order }) => [field.id, order]);

export interface Question {
  asked: Asked;
  /** All that the answer rests on. */
  fields: readonly FieldSchema[];
  where: Sql | null;
  /** What is asked of the records. */
  of: unknown;
}

const add = (known: Map<string, Kept>, key: string, one: Kept): void => {
  known.delete(key);
  if (known.size >= capacity) known.delete(known.keys().next().value as string);
  known.set(key, one);
};

/** `work`, or what it answered before. Of those who see a part of the table nothing is kept. */
export const keptAnswer = async <T>(
  { db, settleFeed }: Context,
  { table, isWhole }: Sight,
  { asked, fields, where, of }: Question,
  work: () => Promise<T>,
): Promise<T> => {
  if (!isWhole || db.kind !== 'pool' || !rests(asked, fields)) return work();
  const { baseId, id, version } = table;
  const compiled = where === null ? null : compile(where);
  const key = hash('sha256', JSON.stringify([id, version, of, compiled?.text, compiled?.values]), 'base64');
  const known = keptOf(db);
  const one = known.get(key);
  if (one === undefined) {
    const begun = performance.now();
    const value = await work();
    if (performance.now() - begun >= limits.slow) add(known, key, { answer: null });
    return value;
  }
  // Everything that is committed has a place in the feed from here on.
  await settleFeed(db, baseId);
  if (one.answer !== null && (await isQuietSince(db, baseId, [id], one.answer.place))) {
    add(known, key, one);
    return JSON.parse(one.answer.text) as T;
  }
  // Before the answer is read: what happens meanwhile may be in it or not, and counts as after it.
  const place = await selectFeedPlace(db, baseId);
  const value = await work();
  const text = JSON.stringify(value);
  add(known, key, { answer: text.length > longest ? null : { place, text } });
  return value;
};
