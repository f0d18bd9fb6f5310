// Turns rows of the feed into the texts of events, once for all who see the same.
import type { EventName } from '@rowhouse/contract/event.ts';
import { type Seeing, type Sight, sightKey } from '../catalog/sight.ts';
import type { Services } from '../context.ts';
import { maxNamed, type OperationValues, type ValuesOf, valuesOf } from './change-values.ts';
import { type FeedRow, selectRecordIds } from './feed.sql.ts';
import { kindOf, loadSight, partOf, selectSeen } from './seen-changes.ts';
import { eventText } from './sse.ts';

/** Operations that are read at once, and records that they may name together. One alone may name any number. */
export const maxOperations = 64;
const maxRecords = 2_000;

export interface Event {
  seq: number;
  /** Empty: there is nothing to tell. */
  text: string;
  /** What the table is may be something else from here on. */
  isOfSchema: boolean;
}

/** What listeners want to hear, and how much of it they see. */
export interface Channel {
  tableId: string;
  values: boolean;
  seeing: Seeing;
}

export const channelKey = ({ tableId, values, seeing }: Channel): string =>
  `${tableId}/${values}/${sightKey(seeing.access.sight, seeing.principal)}/${seeing.access.sight.version ?? ''}`;

/** Visitors of a share are not told who made a change. */
const head = (row: FeedRow, isPublic: boolean): string =>
  `"tableId":"${row.tableId}","operationId":"${row.operationId}","by":"${isPublic ? '' : row.actor}","time":"${row.time}"`;

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

const textOf = (row: FeedRow, kind: EventName, tail: string, isPublic = false): string =>
  eventText(kind, `{${head(row, isPublic)}${tail}}`, row.seq);

/** For those who see a part: an empty text where there is nothing to tell. */
const partialTexts = async (
  services: Services,
  { values, seeing }: Channel,
  sight: Sight | undefined,
  rows: readonly FeedRow[],
  ids: ReadonlyMap<number, string>,
  found: ValuesOf,
): Promise<string[]> => {
  const isPublic = seeing.access.sight.isPublic === true;
  // Without its table there is nothing to see of a change but that the table changed.
  if (sight === undefined)
    return rows.map((row) =>
      row.kind === 'schema' || row.kind === 'view' ? textOf(row, kindOf(row), '', isPublic) : '',
    );
  const recordIds = new Map(rows.map(({ opId }) => [opId, JSON.parse(ids.get(opId) as string) as string[]]));
  const seenIds = await selectSeen(services.db, sight, recordIds);
  return rows.map((row) => {
    const of = found.get(row.opId);
    const changed = row.fieldIds ?? of?.fieldIds ?? [];
    const told = partOf(row, sight, recordIds.get(row.opId) as string[], seenIds, changed);
    // What members say about a record is not for visitors.
    if (told === undefined || (isPublic && told.kind === 'comments.changed')) return '';
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
    return textOf(
      row,
      told.kind,
      told.isPartial && !tail.includes('"recordsOmitted"') ? `${tail},"recordsOmitted":true` : tail,
      isPublic,
    );
  });
};

/** The events of one table: of the first rows, as many as are bounded in size together; at least one. */
export const tableEvents = async (
  services: Services,
  baseId: string,
  channel: Channel,
  all: readonly FeedRow[],
): Promise<Event[]> => {
  const { tableId, values, seeing } = channel;
  const { fieldIds, records, isPublic } = seeing.access.sight;
  const isWhole = fieldIds === null && records === null && isPublic !== true;
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
  const texts = isWhole
    ? told.map((row) => textOf(row, kindOf(row), tailOf(row, ids.get(row.opId) as string, values, found.get(row.opId))))
    : await partialTexts(services, channel, await load(), told, ids, found);
  return told.map(({ seq, kind }, at) => ({
    seq,
    text: texts[at] as string,
    isOfSchema: kind === 'schema' || kind === 'view',
  }));
};
