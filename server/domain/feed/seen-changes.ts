// What of a change is told to those who see only a part of a table. Records that they do not see are not named. One that comes into sight is told as created, one
// that leaves it as deleted; where nobody can tell, the event says that not all are named, and they read the table again.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { EventName } from '@rowhouse/contract/event.ts';
import { type Seeing, type Sight, sightOf } from '../../catalog/sight.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { sqlState } from '../../db/error.ts';
import { fieldsIn } from '../query/condition.sql.ts';
import { selectRecordVersions } from '../record/read/read.sql.ts';
import type { FeedRow } from './feed.sql.ts';
import { type Moves, selectMoves, writtenDeciders } from './moves.sql.ts';

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

export interface ToldChange {
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

/** Which records operations moved, as far as that is known. */
export interface KnownMoves {
  moves: ReadonlyMap<number, Moves>;
  /** Nothing else than cells that people write decides which records are seen: what follows from a change moves none. */
  areWritten: boolean;
}

/** Where the history cannot say it in the form of today, nothing is known, and the table is read again. */
export const selectKnownMoves = async (
  db: Queryable,
  sight: Sight,
  rows: readonly FeedRow[],
  recordIds: ReadonlyMap<number, readonly string[]>,
  most: number,
): Promise<KnownMoves> => {
  const deciders = writtenDeciders(sight);
  if (deciders === undefined) return { moves: new Map(), areWritten: false };
  const moving = rows.filter(
    (row) =>
      row.kind !== 'computed' &&
      row.recordCount <= most &&
      (kindOf(row) === 'records.updated' || kindOf(row) === 'records.deleted'),
  );
  const asked = new Map(moving.map(({ opId }) => [opId, recordIds.get(opId) as readonly string[]]));
  const moves = await selectMoves(db, sight, deciders, asked).catch((error: unknown) => {
    // A value of another type than the field has by now.
    if (sqlState(error)?.startsWith('22') === true || isOfAnotherShape(error)) return new Map<number, Moves>();
    throw error;
  });
  return { moves, areWritten: true };
};

const named = (kind: EventName, recordIds: readonly string[]): ToldChange[] =>
  recordIds.length === 0 ? [] : [{ kind, recordIds, isPartial: false }];

/** `fieldIds`: of which it changed cells, none when it changed the order alone. None: there is nothing to tell. */
export const partsOf = (
  row: FeedRow,
  sight: Sight,
  ids: readonly string[],
  seenIds: ReadonlySet<string>,
  fieldIds: readonly string[],
  { moves, areWritten }: KnownMoves,
): ToldChange[] => {
  const kind = kindOf(row);
  if (kind === 'schema.changed' || kind === 'view.changed' || kind === 'tables.changed')
    return [{ kind, recordIds: [], isPartial: false }];
  const limitsRecords = sight.rows !== true;
  if (kind === 'records.deleted') {
    if (!limitsRecords) return named(kind, ids);
    const known = moves.get(row.opId);
    if (known === undefined) return [{ kind: 'records.updated', recordIds: [], isPartial: true }];
    // Some may be back by now: that is told by what brought them back.
    const seen = new Set([...known.left, ...known.stayed]);
    return named(
      kind,
      ids.filter((id) => seen.has(id)),
    );
  }
  const recordIds = ids.filter((id) => seenIds.has(id));
  if (kind === 'comments.changed' || kind === 'records.created') return named(kind, recordIds);
  const moved = moves.get(row.opId);
  const isHidden = fieldIds.length > 0 && !fieldIds.some((id) => sight.byId.has(id));
  // Cells that it did not write may have come into sight with it, or gone.
  const decides = decidedBy(sight);
  const movesCells = fieldIds.some((id) => decides.has(id));
  if (moved !== undefined || (areWritten && row.kind === 'computed' && row.recordCount > 0)) {
    const { entered, left, stayed } = moved ?? { entered: [], left: [], stayed: recordIds };
    const isTold = stayed.length > 0 && (!isHidden || movesCells);
    return [
      ...named('records.deleted', left),
      ...named('records.created', entered),
      ...(isTold ? [{ kind, recordIds: isHidden ? [] : stayed, isPartial: movesCells }] : []),
    ];
  }
  if (isHidden && !limitsRecords && !movesCells) return [];
  return isHidden
    ? [{ kind, recordIds: [], isPartial: true }]
    : [{ kind, recordIds, isPartial: movesCells || recordIds.length < ids.length }];
};
