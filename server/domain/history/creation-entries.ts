// The end of a record's history: what its cells were created with. Never stored (a bulk create would be
// multiplied by its cells): it follows from the first `before` of each field, or from the cell if it never changed. That
// holds while everything since the creation is there; retention removes the oldest first.
import type { HistoryEntry } from '@rowhouse/contract/history.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Queryable } from '../../db/db.ts';
import { metaOf } from '../field/field-version.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import { historyId } from './history-id.ts';
import { hasAllSince, selectFirstEntries } from './history.sql.ts';
import { momentOf } from './moment.ts';
import { metasOf, stateOf } from './show-entries.ts';

interface Filter {
  fieldIds?: string[];
  createdByIds?: string[];
  operationId?: string;
  startDate?: string;
  endDate?: string;
}

export interface Creation {
  entries: HistoryEntry[];
  /** False when the first values cannot be told any more, or may not be shown. */
  isKnown: boolean;
}

const matches = (filter: Filter, record: { createdTime: string; createdBy: string }): boolean => {
  const time = Date.parse(record.createdTime);
  const [from, to] = [momentOf(filter.startDate, 'query.startDate'), momentOf(filter.endDate, 'query.endDate')];
  return (
    filter.operationId === undefined &&
    (filter.createdByIds?.includes(record.createdBy) ?? true) &&
    (from === undefined || time >= from.getTime()) &&
    (to === undefined || time <= to.getTime())
  );
};

interface Created {
  fields: Record<string, unknown>;
  createdTime: string;
  createdBy: string;
}

const entriesOf = async (
  db: Queryable,
  sight: Sight,
  recordId: string,
  record: Created,
  filter: Filter,
): Promise<HistoryEntry[]> => {
  const { table } = sight;
  const changed = new Map((await selectFirstEntries(db, sight, recordId)).map((entry) => [entry.fieldId, entry]));
  const metas = await metasOf(
    db,
    table,
    [...changed.values()].map(({ metaId }) => ({ metaId, beforeMetaId: null })),
  );
  return table.fields.flatMap((field, index): HistoryEntry[] => {
    // What is seen of a link now is not what it began with.
    if (!sight.byId.has(field.id) || sight.rule.items?.has(field.id) === true) return [];
    if (fieldTypeOf(field).isComputed || filter.fieldIds?.includes(field.id) === false) return [];
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
        before: stateOf(meta, null, sight),
        after: stateOf(meta, json, sight),
        createdTime: record.createdTime,
        createdBy: record.createdBy,
        created: true,
      },
    ];
  });
};

/** Of a deleted record nothing is known: who created it, and when, went with it. Nothing older than `oldest` is shown. */
export const creationOf = async (
  db: Queryable,
  sight: Sight,
  recordId: string,
  filter: Filter,
  oldest: Date | null,
): Promise<Creation> => {
  const [row] = await selectRecords(db, sight, [recordId], { fields: sight.fields, keyType: 'id', format: 'json' });
  if (row === undefined) return { entries: [], isKnown: false };
  const record = JSON.parse(`${row.json}}`) as Created;
  const isShown = oldest === null || Date.parse(record.createdTime) >= oldest.getTime();
  const isKnown = isShown && (await hasAllSince(db, sight.table, recordId));
  return {
    entries: isKnown && matches(filter, record) ? await entriesOf(db, sight, recordId, record, filter) : [],
    isKnown,
  };
};
