// Renders rows of the feed as changes of one table, for the sight of somebody: once for all who see the same. Streams, and whatever else tells of
// changes, take them from here.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { EventName } from '@rowhouse/contract/event.ts';
import { isWholeTable } from '../../catalog/rights.ts';
import { type Seeing, type Sight, sightKey } from '../../catalog/sight.ts';
import type { Services } from '../../context.ts';
import { parseInSlices } from '../../work/parse-slices.ts';
import { createPause } from '../../work/slices.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import { maxNamed, type OperationValues, type ValuesOf, valuesOf } from './change-values.ts';
import { type FeedRow, selectRecordIds } from './feed.sql.ts';
import {
  isOfAnotherShape,
  kindOf,
  type KnownMoves,
  loadSight,
  partsOf,
  selectKnownMoves,
  selectSeen,
  type ToldChange,
} from './seen-changes.ts';

/** Operations that are read at once, and records that they may name together. One alone may name any number. */
export const maxOperations = 64;
const maxRecords = 2_000;

export interface TableChange {
  seq: number;
  /** In their order, with JSON text. None: there is nothing to tell. One change may be several events: some records come into sight by it, others leave it. */
  events: readonly { kind: EventName; data: string }[];
  /** What the table is may be something else from here on. */
  isOfSchema: boolean;
}

/** Which table, with which values, and for whom. */
export interface Channel {
  tableId: string;
  values: boolean;
  seeing: Seeing;
  /** Of all tables of the base, whose id stands in place of that of a table. */
  isOfBase?: true;
}

export const channelKey = ({ tableId, values, seeing, isOfBase }: Channel): string =>
  isOfBase === true
    ? `base/${seeing.access.rights.bound?.key ?? ''}`
    : `${tableId}/${values}/${sightKey(seeing.access.rights.of(tableId), seeing.principal)}/${seeing.access.rights.of(tableId)?.version ?? ''}`;

/** Visitors of a share are not told who made a change. */
const head = (row: FeedRow, isPublic: boolean): string =>
  `"${row.kind === 'tables' ? 'baseId' : 'tableId'}":"${row.tableId}","operationId":"${row.operationId}","by":"${isPublic ? '' : row.actor}","time":"${row.time}"`;

const recordsTail = (row: FeedRow, of: OperationValues | undefined): string =>
  row.recordCount > maxNamed || of?.state === 'tooLong' ? ',"valuesOmitted":true' : `,"records":[${of?.records ?? ''}]`;

/** Nobody wrote these records: they follow from a change elsewhere. When none were written down, or too many, none are named. */
const computedTail = (row: FeedRow, ids: string, values: boolean, of: OperationValues | undefined): string => {
  const cause =
    row.cause === null
      ? ''
      : `,"cause":"${row.cause}"${row.causes === null ? '' : `,"causes":${JSON.stringify(row.causes)}`}`;
  const fieldIds = `,"fieldIds":${JSON.stringify(row.fieldIds ?? [])}`;
  if (row.recordCount === 0 || row.recordCount > maxNamed)
    return `,"recordIds":[]${fieldIds}${cause},"recordsOmitted":true`;
  return `,"recordIds":${ids}${fieldIds}${cause}${values ? recordsTail(row, of) : ''}`;
};

const tailOf = (row: FeedRow, ids: string, values: boolean, of: OperationValues | undefined): string => {
  if (row.kind === 'computed') return computedTail(row, ids, values, of);
  switch (kindOf(row)) {
    case 'records.created':
      return `,"recordIds":${ids}${values ? recordsTail(row, of) : ''}`;
    case 'records.updated': {
      const fieldIds = JSON.stringify(of?.fieldIds ?? []);
      const records = of?.state === 'tooLong' ? ',"valuesOmitted":true' : `,"records":[${of?.records ?? ''}]`;
      return `,"recordIds":${ids},"fieldIds":${fieldIds}${values ? records : ''}`;
    }
    case 'records.deleted':
    case 'comments.changed':
      return `,"recordIds":${ids}`;
    default:
      return '';
  }
};

/** The first of the rows: what is read at once. */
const few = (rows: readonly FeedRow[]): readonly FeedRow[] => {
  let records = 0;
  const end = rows.findIndex(
    ({ recordCount }, at) => at === maxOperations || ((records += recordCount) > maxRecords && at > 0),
  );
  return end === -1 ? rows : rows.slice(0, end);
};

const idsOf = async ({ db }: Services, baseId: string, rows: readonly FeedRow[]): Promise<Map<number, string>> => {
  const unnamed = rows.filter(({ recordIds }) => recordIds === null).map(({ opId }) => opId);
  const found = unnamed.length === 0 ? new Map<number, string>() : await selectRecordIds(db, baseId, unnamed);
  return new Map(rows.map(({ opId, recordIds }) => [opId, recordIds ?? found.get(opId) ?? '[]']));
};

type Rendered = TableChange['events'][number];

const rendered = (row: FeedRow, kind: EventName, tail: string, isPublic = false): Rendered => ({
  kind,
  data: `{${head(row, isPublic)}${tail}}`,
});

/** Records that came into sight are told whole, as new ones are: up to so many characters together. */
const mostEntered = 262_144;

const enteredRecords = async (
  { db }: Services,
  sight: Sight,
  { moves }: KnownMoves,
): Promise<ReadonlyMap<string, string>> => {
  const ids = [...new Set([...moves.values()].flatMap(({ entered }) => entered))].slice(0, 100);
  if (ids.length === 0) return new Map();
  const rows = await selectRecords(db, sight, ids, { fields: sight.fields, keyType: 'id', format: 'json' }).catch(
    (error: unknown) => {
      if (isOfAnotherShape(error) || error instanceof ApiError) return [];
      throw error;
    },
  );
  let length = 0;
  return new Map(
    rows.flatMap(({ id, json }) => ((length += json.length) > mostEntered ? [] : [[id, `${json}}`] as const])),
  );
};

interface PartValues {
  shown: readonly string[];
  values: boolean;
  of: OperationValues | undefined;
  entered: ReadonlyMap<string, string>;
}

const only = (records: string, ids: readonly string[]): string => {
  const wanted = new Set(ids);
  const told = JSON.parse(`[${records}]`) as { id: string }[];
  return told.every(({ id }) => wanted.has(id))
    ? records
    : JSON.stringify(told.filter(({ id }) => wanted.has(id))).slice(1, -1);
};

const partTail = (row: FeedRow, { kind, recordIds, isPartial }: ToldChange, given: PartValues): string => {
  const { shown, values, entered } = given;
  const ids = JSON.stringify(recordIds);
  if (kind === 'records.created' && row.rowDelta <= 0) {
    const records = recordIds.map((id) => entered.get(id));
    if (!values) return `,"recordIds":${ids}`;
    return records.every((one) => one !== undefined)
      ? `,"recordIds":${ids},"records":[${records.join(',')}]`
      : `,"recordIds":${ids},"valuesOmitted":true`;
  }
  if (kind === 'records.deleted') return `,"recordIds":${ids}`;
  const of =
    given.of === undefined
      ? undefined
      : {
          ...given.of,
          fieldIds: shown,
          records:
            given.of.records === '' || kind !== 'records.updated'
              ? given.of.records
              : only(given.of.records, recordIds),
        };
  const seen: FeedRow = {
    ...row,
    rowDelta: kind === 'records.updated' ? 0 : row.rowDelta,
    recordCount: recordIds.length,
    fieldIds: row.fieldIds === null ? null : [...shown],
  };
  const tail = tailOf(seen, ids, values, of);
  return isPartial && !tail.includes('"recordsOmitted"') ? `${tail},"recordsOmitted":true` : tail;
};

/** For those who see a part. */
const renderPart = async (
  services: Services,
  { tableId, values, seeing }: Channel,
  sight: Sight | undefined,
  rows: readonly FeedRow[],
  ids: ReadonlyMap<number, string>,
  found: ValuesOf,
): Promise<Rendered[][]> => {
  const { isPublic: isVisitor, hidesFacts } = seeing.access.rights.of(tableId) ?? {};
  const isPublic = isVisitor === true || hidesFacts === true;
  // Without its table there is nothing to see of a change but that the table changed.
  if (sight === undefined)
    return rows.map((row) =>
      row.kind === 'schema' || row.kind === 'view' ? [rendered(row, kindOf(row), '', isPublic)] : [],
    );
  const recordIds = new Map<number, string[]>();
  const pause = createPause();
  for (const { opId } of rows) recordIds.set(opId, (await parseInSlices(ids.get(opId) as string, pause)) as string[]);
  const seenIds = await selectSeen(services.db, sight, recordIds);
  const known = await selectKnownMoves(services.db, sight, rows, recordIds, maxNamed);
  const entered = values ? await enteredRecords(services, sight, known) : new Map<string, string>();
  return rows.map((row) => {
    const of = found.get(row.opId);
    const changed = row.fieldIds ?? of?.fieldIds ?? [];
    const told = partsOf(row, sight, recordIds.get(row.opId) as string[], seenIds, changed, known);
    const shown = changed.filter((id) => sight.byId.has(id));
    return told.flatMap((part): Rendered[] => {
      // What members say about a record is not for visitors, nor which other tables there are.
      if (isPublic && (part.kind === 'comments.changed' || part.kind === 'tables.changed')) return [];
      return [rendered(row, part.kind, partTail(row, part, { shown, values, of, entered }), isPublic)];
    });
  });
};

/** The changes of one table: of the first rows, as many as are bounded in size together; at least one. */
export const tableChanges = async (
  services: Services,
  baseId: string,
  channel: Channel,
  all: readonly FeedRow[],
): Promise<TableChange[]> => {
  const { tableId, values, seeing } = channel;
  const rights = seeing.access.rights.of(tableId);
  const isWhole = rights !== null && isWholeTable(rights) && rights.isPublic !== true;
  let loading: Promise<Sight | undefined> | undefined;
  const load = (): Promise<Sight | undefined> => (loading ??= loadSight(services.db, seeing, baseId, tableId));
  const rows = few(all);
  const computed = rows.filter(({ kind }) => kind === 'computed');
  const written = rows.filter(({ kind }) => kind !== 'computed');
  const of = (kind: EventName): FeedRow[] => written.filter((row) => kindOf(row) === kind);
  const found = await valuesOf(
    services,
    baseId,
    tableId,
    { created: of('records.created'), updated: of('records.updated'), computed },
    values,
    isWhole,
    load,
  );
  const later = rows.findIndex(({ opId }) => found.get(opId)?.state === 'later');
  const told = later === -1 ? rows : rows.slice(0, later);
  const ids = await idsOf(services, baseId, told);
  const changes = isWhole
    ? told.map((row) => [
        rendered(row, kindOf(row), tailOf(row, ids.get(row.opId) as string, values, found.get(row.opId))),
      ])
    : await renderPart(services, channel, await load(), told, ids, found);
  return told.map(({ seq, kind }, at) => ({
    seq,
    events: changes[at] as Rendered[],
    isOfSchema: kind === 'schema' || kind === 'view',
  }));
};
