// The end of a record's history: what its cells were created with. Never stored (a bulk create would be
// multiplied by its cells): it follows from the first `before` of each field, or from the cell if it never changed.
import type { HistoryEntry } from '@rowhouse/contract/history.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { metaOf } from '../field/field-version.ts';
import { fieldTypeOf } from '../field/types.ts';
import { selectRecords } from '../record/read.sql.ts';
import { historyId } from './history-id.ts';
import { selectFirstEntries } from './history.sql.ts';
import { metasOf, stateOf } from './show-entries.ts';

interface Filter {
  fieldIds?: string[];
  createdByIds?: string[];
  operationId?: string;
  startDate?: string;
  endDate?: string;
}

const matches = (filter: Filter, record: { createdTime: string; createdBy: string }): boolean => {
  const time = Date.parse(record.createdTime);
  return (
    filter.operationId === undefined &&
    (filter.createdByIds?.includes(record.createdBy) ?? true) &&
    (filter.startDate === undefined || time >= Date.parse(filter.startDate)) &&
    (filter.endDate === undefined || time <= Date.parse(filter.endDate))
  );
};

/** Empty for a deleted record: who created it, and when, went with it. */
export const creationEntries = async (db: Queryable, table: TableSchema, recordId: string, filter: Filter): Promise<HistoryEntry[]> => {
  const [row] = await selectRecords(db, table, [recordId], { fields: table.fields, keyType: 'id', format: 'json' });
  if (row === undefined) return [];
  const record = JSON.parse(`${row.json}}`) as { fields: Record<string, unknown>; createdTime: string; createdBy: string };
  if (!matches(filter, record)) return [];
  const changed = new Map((await selectFirstEntries(db, table, recordId)).map((entry) => [entry.fieldId, entry]));
  const metas = await metasOf(db, table, [...changed.values()].map(({ metaId }) => ({ metaId, beforeMetaId: null })));
  return table.fields.flatMap((field, index): HistoryEntry[] => {
    if (fieldTypeOf(field.type).isComputed || filter.fieldIds?.includes(field.id) === false) return [];
    const first = changed.get(field.id);
    const value = record.fields[field.id];
    const json = first === undefined ? (value === undefined ? null : JSON.stringify(value)) : first.before;
    if (json === null) return [];
    const meta = first === undefined ? metaOf(field) : (metas.get(first.metaId)?.meta ?? metaOf(field));
    return [
      {
        id: historyId(table.id, { opId: 0, seq: index + 1 }),
        tableId: table.id,
        recordId,
        fieldId: field.id,
        before: stateOf(meta, null),
        after: stateOf(meta, json),
        createdTime: record.createdTime,
        createdBy: record.createdBy,
        created: true,
      },
    ];
  });
};
