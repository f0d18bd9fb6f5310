import type { TableSchema } from '../../catalog/table.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface FieldVersion {
  fieldId: string;
  version: number;
  meta: { name: string; type: string; cellValueType: string; options: Record<string, unknown> };
}

export const ensureFieldVersions = async (
  db: Queryable,
  table: Pick<TableSchema, 'id' | 'baseId'>,
  versions: readonly FieldVersion[],
): Promise<ReadonlyMap<string, number>> => {
  const target = sql.id(table.baseId, '__field_version');
  const fieldIds = versions.map((item) => item.fieldId);
  const numbers = versions.map((item) => item.version);
  const find = (): Promise<{ fieldId: string; id: number }[]> =>
    many(
      db,
      sql`select v.field_id as "fieldId", v.id from ${target} v
          join unnest(${fieldIds}::text[], ${numbers}::int[]) as wanted(field_id, version) on v.field_id = wanted.field_id and v.version = wanted.version`,
    );
  let rows = await find();
  if (rows.length < versions.length) {
    const metas = versions.map((item) => JSON.stringify(item.meta));
    const added = await many<{ fieldId: string; id: number }>(
      db,
      // In order: of two that add the same at once, one waits for the other, and not each for the other.
      sql`insert into ${target} (table_id, field_id, version, meta)
          select ${table.id}, field_id, version, meta from unnest(${fieldIds}::text[], ${numbers}::int[], ${metas}::jsonb[]) as wanted(field_id, version, meta) order by field_id
          on conflict (field_id, version) do nothing returning field_id as "fieldId", id`,
    );
    // Where another was first, its rows are there.
    rows = rows.length + added.length < versions.length ? await find() : [...rows, ...added];
  }
  return new Map(rows.map((row) => [row.fieldId, row.id]));
};
