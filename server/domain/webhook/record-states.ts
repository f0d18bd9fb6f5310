// A record before and after an operation, for a sight: the record as it is now, without what was written later. Cells of computed fields have no history: they
// are told as they are now.
import { downstream } from '../../catalog/dependency.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Queryable } from '../../db/db.ts';
import { needsWithinRecord } from '../computed/dependencies.ts';
import type { FeedRow } from '../feed/feed.sql.ts';
import { kindOf } from '../feed/seen-changes.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import { type RecordPart, recordParts } from '../record/read/record-parts.ts';
import { selectDeletedRecords, selectFormerCells, selectOwnCells } from './record-states.sql.ts';

export type Cells = Record<string, unknown>;

export interface RecordStates {
  id: string;
  /** Null: it was not there. Undefined: it is not known any more. */
  before: Cells | null | undefined;
  after: Cells | null | undefined;
  /** Fields of which the operation changed the cell: written ones, and those that are computed from them. */
  changed: string[];
  /** Of these it is known what they were. */
  written: string[];
}

/** Records of one operation that are looked at together. */
const chunk = 500;

const parse = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

const put = (cells: Cells, fieldId: string, value: unknown): void => {
  if (value === null) delete cells[fieldId];
  else cells[fieldId] = value;
};

const only = (cells: Cells, { byId }: Sight): Cells =>
  Object.fromEntries(Object.entries(cells).filter(([id]) => byId.has(id)));

const byRecord = <T extends { recordId: string }>(cells: readonly T[]): Map<string, T[]> => {
  const found = new Map<string, T[]>();
  for (const cell of cells) found.set(cell.recordId, [...(found.get(cell.recordId) ?? []), cell]);
  return found;
};

/** Of records that are there, or in the trash. Somebody who sees only some records sees none of those that are gone. */
const selectLatest = async (
  db: Queryable,
  sight: Sight,
  { ids, isTooLarge }: RecordPart,
): Promise<Map<string, Cells>> => {
  if (isTooLarge) return new Map();
  const found = await selectRecords(db, sight, ids, { fields: sight.fields, keyType: 'id', format: 'json' });
  const latest = new Map(found.map(({ id, json }) => [id, (JSON.parse(`${json}}`) as { fields: Cells }).fields]));
  const gone = sight.rows === true ? ids.filter((id) => !latest.has(id)) : [];
  if (gone.length > 0)
    for (const { id, json } of await selectDeletedRecords(db, sight.table, null, gone))
      latest.set(id, only((JSON.parse(json) as { fields: Cells }).fields, sight));
  return latest;
};

/** As it was right after the operation. */
const rolledBack = (now: Cells, later: readonly { fieldId: string; before: string | null }[], sight: Sight): Cells => {
  const cells = { ...now };
  for (const { fieldId, before } of later) if (sight.byId.has(fieldId)) put(cells, fieldId, parse(before));
  return cells;
};

/** Of a record that was restored since there is no copy: it is what it was then. */
const deletedStates = async (
  db: Queryable,
  sight: Sight,
  { opId }: FeedRow,
  { ids, isTooLarge }: RecordPart,
): Promise<RecordStates[]> => {
  if (sight.rows !== true) return [];
  const copies = await selectDeletedRecords(db, sight.table, opId, ids);
  const deleted = new Map(
    copies.map(({ id, json }) => [id, only((JSON.parse(json) as { fields: Cells }).fields, sight)]),
  );
  const restored = ids.filter((id) => !deleted.has(id));
  if (restored.length > 0) {
    const latest = await selectLatest(db, sight, { ids: restored, isTooLarge });
    const later = byRecord(await selectFormerCells(db, sight.table, opId, restored));
    for (const [id, cells] of latest) deleted.set(id, rolledBack(cells, later.get(id) ?? [], sight));
  }
  return ids.map((id) => ({ id, before: deleted.get(id), after: null, changed: [], written: [] }));
};

const statesOf = async (db: Queryable, sight: Sight, row: FeedRow, part: RecordPart): Promise<RecordStates[]> => {
  if (kindOf(row) === 'records.deleted') return deletedStates(db, sight, row, part);
  const { ids } = part;
  const latest = await selectLatest(db, sight, part);
  const own = byRecord(await selectOwnCells(db, sight.table, row.opId, ids));
  const former = byRecord(await selectFormerCells(db, sight.table, row.opId, ids));
  const isNew = kindOf(row) === 'records.created';
  const needs = needsWithinRecord(sight.table.fields);
  return ids.flatMap((id): RecordStates[] => {
    const now = latest.get(id);
    // A record that somebody with a part of the table does not see.
    if (now === undefined && sight.rows !== true) return [];
    const cells = (own.get(id) ?? []).filter(({ fieldId }) => sight.byId.has(fieldId));
    const written = row.kind === 'computed' ? [] : cells.map(({ fieldId }) => fieldId);
    const all = row.kind === 'computed' ? (row.fieldIds ?? []) : downstream(needs, written);
    const changed = [...all].filter((one) => sight.byId.has(one));
    if (now === undefined) return [{ id, before: isNew ? null : undefined, after: undefined, changed, written }];
    const after = rolledBack(now, former.get(id) ?? [], sight);
    const before = { ...after };
    for (const cell of cells) put(after, cell.fieldId, parse(cell.after));
    for (const cell of cells) put(before, cell.fieldId, parse(cell.before));
    return [{ id, before: isNew ? null : before, after, changed, written }];
  });
};

/** In parts: what one operation has written may be more than anybody can hold. */
export async function* recordStates(
  db: Queryable,
  sight: Sight,
  row: FeedRow,
  ids: readonly string[],
): AsyncGenerator<RecordStates[]> {
  for (let at = 0; at < ids.length; at += chunk)
    for (const part of await recordParts(db, sight, ids.slice(at, at + chunk), sight.fields))
      yield await statesOf(db, sight, row, part);
}
