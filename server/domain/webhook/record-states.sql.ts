// What records were before and after an operation, from the records and their history.
import type { TableSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

type Table = Pick<TableSchema, 'baseId' | 'id'>;

interface HistoryCell {
  recordId: string;
  fieldId: string;
  before: string | null;
  after: string | null;
}

const historyOf = ({ baseId, id }: Table) => sql.id(baseId, `__history_${id}`);

/** The cells that the operation itself wrote. */
export const selectOwnCells = (
  db: Queryable,
  table: Table,
  opId: number,
  recordIds: readonly string[],
): Promise<HistoryCell[]> =>
  many<HistoryCell>(
    db,
    sql`select h.record_id as "recordId", v.field_id as "fieldId", h.before, h.after
        from ${historyOf(table)} h join ${sql.id(table.baseId, '__field_version')} v on v.id = h.meta_id
        where h.op_id = ${opId} and h.record_id = any(${recordIds}::text[]) order by h.seq`,
  );

/** Of cells that were written later: what they were until then. */
export const selectFormerCells = (
  db: Queryable,
  table: Table,
  opId: number,
  recordIds: readonly string[],
): Promise<Omit<HistoryCell, 'after'>[]> =>
  many(
    db,
    sql`select distinct on (h.record_id, v.field_id) h.record_id as "recordId", v.field_id as "fieldId", h.before
        from ${historyOf(table)} h join ${sql.id(table.baseId, '__field_version')} v on v.id = h.meta_id
        where h.record_id = any(${recordIds}::text[]) and h.op_id > ${opId} order by h.record_id, v.field_id, h.op_id, h.seq`,
  );

/** Records that are in the trash, as they were when they were deleted: by `opId`, or by the last operation that did it. */
export const selectDeletedRecords = (
  db: Queryable,
  table: Table,
  opId: number | null,
  recordIds: readonly string[],
): Promise<{ id: string; json: string }[]> =>
  many(
    db,
    sql`select distinct on (h.record_id) h.record_id as id, h.before as json from ${historyOf(table)} h
        where h.record_id = any(${recordIds}::text[]) and ${opId === null ? sql`h.op_id < 0` : sql`h.op_id = ${-opId}::bigint`} order by h.record_id, h.op_id`,
  );
