// What of a change is told to those who see only a part of a table. Records that they do not see are not named: where one
// of them may have come into sight or gone out of it, the event says that not all are named, and they read the table again.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { EventName } from '@rowhouse/contract/event.ts';
import { fieldsIn } from '../query/condition.sql.ts';
import { type Seeing, type Sight, sightOf } from '../../catalog/sight.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { sqlState } from '../../db/error.ts';
import { selectRecordVersions } from '../record/read/read.sql.ts';
import type { FeedRow } from './feed.sql.ts';

export const kindOf = (row: FeedRow): EventName => {
  if (row.kind === 'schema') return 'schema.changed';
  if (row.kind === 'view') return 'view.changed';
  if (row.kind === 'tables') return 'tables.changed';
  if (row.kind === 'comment') return 'comments.changed';
  return row.rowDelta > 0 ? 'records.created' : row.rowDelta < 0 ? 'records.deleted' : 'records.updated';
};

/** A table that is gone, or of another shape by now. That is told by an event of its own. */
export const isOfAnotherShape = (error: unknown): boolean =>
  sqlState(error)?.startsWith('42') === true || (error instanceof ApiError && error.status === 404);

/** Undefined when the table is gone, or is another one than a share was decided about. */
export const loadSight = async (
  db: Queryable,
  seeing: Seeing,
  baseId: string,
  tableId: string,
): Promise<Sight | undefined> => {
  try {
    const table = await loadTable(db, baseId, tableId);
    const version = seeing.access.rights.of(tableId)?.version;
    return version === undefined || version === table.version ? sightOf(seeing, table) : undefined;
  } catch (error) {
    if (isOfAnotherShape(error)) return undefined;
    throw error;
  }
};

/** The fields of the table that its masks look at. */
const decidedBy = ({ rule: { cells } }: Sight): ReadonlySet<string> =>
  new Set([...(cells?.values() ?? [])].flatMap(fieldsIn));

interface ToldChange {
  kind: EventName;
  recordIds: readonly string[];
  /** Not every record of the change is named. */
  isPartial: boolean;
}

/** The records of these operations that are seen now. */
export const selectSeen = async (
  db: Queryable,
  sight: Sight,
  recordIds: ReadonlyMap<number, readonly string[]>,
): Promise<ReadonlySet<string>> => {
  const ids = [...new Set([...recordIds.values()].flat())];
  return sight.rows === true || ids.length === 0
    ? new Set(ids)
    : new Set((await selectRecordVersions(db, sight, ids)).keys());
};

/** `fieldIds`: of which it changed cells, none when it changed the order alone. Undefined: there is nothing to tell. */
export const partOf = (
  row: FeedRow,
  sight: Sight,
  ids: readonly string[],
  seenIds: ReadonlySet<string>,
  fieldIds: readonly string[],
): ToldChange | undefined => {
  const kind = kindOf(row);
  if (kind === 'schema.changed' || kind === 'view.changed' || kind === 'tables.changed')
    return { kind, recordIds: [], isPartial: false };
  const limitsRecords = sight.rows !== true;
  if (kind === 'records.deleted')
    return limitsRecords
      ? { kind: 'records.updated', recordIds: [], isPartial: true }
      : { kind, recordIds: ids, isPartial: false };
  const recordIds = ids.filter((id) => seenIds.has(id));
  if (kind === 'comments.changed') return recordIds.length === 0 ? undefined : { kind, recordIds, isPartial: false };
  if (kind === 'records.created') return recordIds.length === 0 ? undefined : { kind, recordIds, isPartial: false };
  const isHidden = fieldIds.length > 0 && !fieldIds.some((id) => sight.byId.has(id));
  // Cells that it did not write may have come into sight with it, or gone.
  const decides = decidedBy(sight);
  const movesCells = fieldIds.some((id) => decides.has(id));
  if (isHidden && !limitsRecords && !movesCells) return undefined;
  return isHidden
    ? { kind, recordIds: [], isPartial: true }
    : { kind, recordIds, isPartial: movesCells || recordIds.length < ids.length };
};
