// A record that was read is written back whole, computed cells included. They are compared with what they are: the same is no
// change, anything else is refused. None of them is ever written, so one that changes meanwhile harms nobody.
import { isDeepStrictEqual } from 'node:util';
import type { Sight } from '../../../catalog/sight.ts';
import type { Queryable } from '../../../db/db.ts';
import { fieldTypeOf } from '../../cell/types.ts';
import { fieldsBy, keyOf } from '../read/field-key.ts';
import { selectRecords } from '../read/read.sql.ts';
import type { CellRequest } from './cells.ts';
import { grantsFor } from './permits.sql.ts';
import { keysOf } from './write.ts';

/** Whether a computed cell is what was sent. Of a record that is not there nothing is known: that is told elsewhere. */
export type IsUnchanged = (recordId: string | undefined, key: string, value: unknown) => boolean;

/** Cells of fields that no rule lets the caller update, without those that are sent as they are: these are no change. */
export const withoutUnchanged = async <Row extends CellRequest['rows'][number]>(
  db: Queryable,
  sight: Sight,
  { rows, keyType }: Pick<CellRequest, 'keyType'> & { rows: readonly Row[] },
): Promise<readonly Row[]> => {
  const { may } = sight.rule;
  if (may === undefined || !sight.seesCells) return rows;
  const known = fieldsBy(sight, keyType);
  const fields = [...keysOf(rows)]
    .flatMap((key) => known.get(key) ?? [])
    .filter((field) => !fieldTypeOf(field).isComputed && grantsFor(may.update, field.id).length === 0);
  if (fields.length === 0) return rows;
  const keys = new Set(fields.map((field) => keyOf(field, keyType)));
  const ids = rows.flatMap(({ id }) => id ?? []);
  const found = await selectRecords(db, sight, ids, { fields, keyType, format: 'json' });
  const byId = new Map(
    found.map(({ id, json }) => [id, (JSON.parse(`${json}}`) as { fields: Record<string, unknown> }).fields]),
  );
  return rows.map((row) => {
    const cells = byId.get(row.id ?? '');
    if (cells === undefined) return row;
    const kept = Object.entries(row.fields).filter(
      ([key, value]) => !keys.has(key) || !isDeepStrictEqual(value ?? null, cells[key] ?? null),
    );
    return { ...row, fields: Object.fromEntries(kept) };
  });
};

/** Asks the database only when a request without typecast names computed fields. */
export const computedCells = async (
  db: Queryable,
  sight: Sight,
  { rows, keyType, typecast }: CellRequest,
): Promise<IsUnchanged | undefined> => {
  if (typecast || !sight.fields.some((field) => fieldTypeOf(field).isComputed)) return undefined;
  const known = fieldsBy(sight, keyType);
  const fields = [...keysOf(rows)]
    .flatMap((key) => known.get(key) ?? [])
    .filter((field) => fieldTypeOf(field).isComputed);
  if (fields.length === 0) return undefined;
  const ids = rows.flatMap(({ id }) => id ?? []);
  const found = await selectRecords(db, sight, ids, { fields, keyType, format: 'json' });
  const byId = new Map(
    found.map(({ id, json }) => [id, (JSON.parse(`${json}}`) as { fields: Record<string, unknown> }).fields]),
  );
  return (recordId, key, value) => {
    const cells = byId.get(recordId ?? '');
    return cells === undefined || isDeepStrictEqual(value ?? null, cells[key] ?? null);
  };
};
