// Renders rows of the feed as changes of one table, for the sight of somebody: once for all who see the same. Streams, and whatever else tells of
// changes, take them from here.
import { isWholeTable } from '../../catalog/rights.ts';
import type { EventName } from '@rowhouse/contract/event.ts';
import { type Seeing, type Sight, sightKey } from '../../catalog/sight.ts';
import type { Services } from '../../context.ts';
import { maxNamed, type OperationValues, type ValuesOf, valuesOf } from './change-values.ts';
import { type FeedRow, selectRecordIds } from './feed.sql.ts';
import { kindOf, loadSight, partOf, selectSeen } from './seen-changes.ts';

/** Operations that are read at once, and records that they may name together. One alone may name any number. */
export const maxOperations = 64;
const maxRecords = 2_000;

export interface TableChange {
  seq: number;
  kind: EventName;
  /** JSON text. Empty: there is nothing to tell. */
  data: string;
  /** What the table is may be something else from here on. */
  isOfSchema: boolean;
}

/** Which table, with which values, and for whom. */
export interface Channel {
  tableId: string;
  values: boolean;
  seeing: Seeing;
}

export const channelKey = ({ tableId, values, seeing }: Channel): string =>
  `${tableId}/${values}/${sightKey(seeing.access.rights.of(tableId), seeing.principal)}/${seeing.access.rights.of(tableId)?.version ?? ''}`;

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

type Rendered = Pick<TableChange, 'kind' | 'data'>;

const rendered = (row: FeedRow, kind: EventName, tail: string, isPublic = false): Rendered => ({
  kind,
  data: `{${head(row, isPublic)}${tail}}`,
});

const nothing = (row: FeedRow): Rendered => ({ kind: kindOf(row), data: '' });

/** For those who see a part. */
const renderPart = async (
  services: Services,
  { tableId, values, seeing }: Channel,
  sight: Sight | undefined,
  rows: readonly FeedRow[],
  ids: ReadonlyMap<number, string>,
  found: ValuesOf,
): Promise<Rendered[]> => {
  const { isPublic: isVisitor, hidesFacts } = seeing.access.rights.of(tableId) ?? {};
  const isPublic = isVisitor === true || hidesFacts === true;
  // Without its table there is nothing to see of a change but that the table changed.
  if (sight === undefined)
    return rows.map((row) =>
      row.kind === 'schema' || row.kind === 'view' ? rendered(row, kindOf(row), '', isPublic) : nothing(row),
    );
  const recordIds = new Map(rows.map(({ opId }) => [opId, JSON.parse(ids.get(opId) as string) as string[]]));
  const seenIds = await selectSeen(services.db, sight, recordIds);
  return rows.map((row) => {
    const of = found.get(row.opId);
    const changed = row.fieldIds ?? of?.fieldIds ?? [];
    const told = partOf(row, sight, recordIds.get(row.opId) as string[], seenIds, changed);
    // What members say about a record is not for visitors, nor which other tables there are.
    if (told === undefined || (isPublic && (told.kind === 'comments.changed' || told.kind === 'tables.changed')))
      return nothing(row);
    const shown = changed.filter((id) => sight.byId.has(id));
    const seen: FeedRow = {
      ...row,
      rowDelta: told.kind === 'records.updated' ? 0 : row.rowDelta,
      recordCount: told.recordIds.length,
      fieldIds: row.fieldIds === null ? null : shown,
    };
    const tail = tailOf(
      seen,
      JSON.stringify(told.recordIds),
      values,
      of === undefined ? undefined : { ...of, fieldIds: shown },
    );
    return rendered(
      row,
      told.kind,
      told.isPartial && !tail.includes('"recordsOmitted"') ? `${tail},"recordsOmitted":true` : tail,
      isPublic,
    );
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
    ? told.map((row) =>
        rendered(row, kindOf(row), tailOf(row, ids.get(row.opId) as string, values, found.get(row.opId))),
      )
    : await renderPart(services, channel, await load(), told, ids, found);
  return told.map(({ seq, kind }, at) => ({
    seq,
    ...(changes[at] as Rendered),
    isOfSchema: kind === 'schema' || kind === 'view',
  }));
};
