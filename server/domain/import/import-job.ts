// The rows of a file become records, some thousand in each transaction. How far it is, is written down with them: after a
// restart the file is read again, and what is there already is passed over.
import { type DateOrder, decideOrder, inOrder, orderOfColumn } from '@rowhouse/contract/date-order.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { ImportFileType } from '@rowhouse/contract/import.ts';
import { decimalSignOf, withDecimalPoint } from '@rowhouse/contract/number-text.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
import type { TypecastReport } from '@rowhouse/contract/record.ts';
import { namedJob } from '../../catalog/outbox.ts';
import { sightOf } from '../../catalog/sight.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { type Actor, actInTable, untilFresh } from '../../pipeline/act-as.ts';
import { Unwritten } from '../../pipeline/pipeline.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { Stale } from '../../pipeline/stale.ts';
import { GiveUp, type JobKind, type RunningJob } from '../../work/job.ts';
import { formattingOf } from '../cell/kind/date-format.sql.ts';
import { asText } from '../cell/type/text.ts';
import { cellTypeOf } from '../cell/types.ts';
import type { FileFacts } from '../file/file.ts';
import { selectFile } from '../file/file.sql.ts';
import { planCreate, writeCreate } from '../record/write/create-records.ts';
import { upsertWithin } from '../record/write/upsert-records.ts';
import { byKey } from './by-key.ts';
import { firstRows, openSource } from './source.ts';

export const importKind = 'import-records';

export interface ImportPayload {
  baseId: string;
  tableId: string;
  /** As whom the rows are written: the last person who started or continued it. */
  by: Actor;
  token: string;
  fileType: ImportFileType;
  sheet: string;
  /** Rows above the first one that becomes a record. */
  skipRows?: number | undefined;
  /** In place of `skipRows`, in jobs from before there was a choice. */
  skipFirst?: boolean | undefined;
  /** Field id → column of the file. */
  columns: Record<string, number>;
  /** A row changes the record that has the same cells in these fields. */
  matchFieldIds?: string[] | undefined;
  /** What the one who started it must be allowed, all the time. */
  actions: Action[];
  /** How the one who started it is used to write dates. */
  dateOrder?: DateOrder | undefined;
}

/** A value that its field could not take, and that was left out. */
interface Misfit {
  /** Of the file, from 1 on. */
  row: number;
  field: string;
  value: string;
}

export interface Imported {
  /** Rows of the file that were read. */
  read: number;
  records: number;
  /** Of these, how many have changed a record that was there; absent: all are new. */
  updated?: number;
  misfits: Misfit[];
  misfitCount: number;
  /** Each undoes a part. */
  operationIds: string[];
}

/** Records in each transaction. */
export const perStep = 5_000;
/** While other spaces have work: each step keeps a core for a tenth of a second otherwise. */
const perCrowdedStep = 500;
/** Characters of the file in each: long rows are fewer. Two of these are in memory, one being written and one being read. */
const textPerStep = 2_000_000;
const mostMisfits = 1_000;
const longestShown = 500;

interface Row {
  number: number;
  values: readonly unknown[];
}

const cellsOf = ({ values }: Row, columns: readonly (readonly [string, number])[]): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const [fieldId, at] of columns) {
    const value = values[at];
    if (value !== undefined && value !== '') fields[fieldId] = value;
  }
  return fields;
};

const skippedRows = ({ skipRows, skipFirst }: ImportPayload): number => skipRows ?? (skipFirst === true ? 1 : 0);

interface WrittenRows {
  operationIds: string[];
  updated: number;
  misfits: Misfit[];
  misfitCount: number;
  notifies: boolean;
}

const writeRows = async (
  tx: Tx,
  services: Services,
  job: RunningJob<ImportPayload>,
  rows: readonly Row[],
): Promise<WrittenRows> => {
  const { baseId, tableId, actions, by } = job.payload;
  const context = await actInTable(services, tx, by, tableId, actions, job.id);
  const present = await loadTable(tx, baseId, tableId);
  // A field that was deleted meanwhile gets nothing.
  const columns = Object.entries(job.payload.columns).filter(([fieldId]) => present.byId.has(fieldId));
  const cells = rows.map((row) => cellsOf(row, columns));
  const how = { keyType: 'id' as const, typecast: true, reportsDropped: true as const };
  const misfitsOf = (report: TypecastReport | undefined, places: readonly number[]): Misfit[] =>
    (report?.entries ?? []).map(({ index, field, from }) => ({
      row: (rows[places[index] as number] as Row).number,
      field: present.byId.get(field)?.name ?? field,
      value: asText(from).slice(0, longestShown),
    }));
  // Of fields that are gone nothing can be matched by.
  const keys = (job.payload.matchFieldIds ?? []).filter((fieldId) => present.byId.has(fieldId));
  const { matched, others } = byKey(cells, keys);
  const upserted =
    matched.length === 0
      ? undefined
      : await upsertWithin(context, {
          rows: matched.map((place) => ({ fields: cells[place] as Record<string, unknown> })),
          ...how,
          matchFields: keys,
        });
  // New choices may have come with what was written before.
  const planned =
    others.length === 0
      ? undefined
      : await planCreate(
          context,
          sightOf(context, upserted === undefined ? present : await loadTable(tx, baseId, tableId)),
          {
            rows: others.map((place) => ({ fields: cells[place] as Record<string, unknown> })),
            ...how,
            isUnanswered: true as const,
          },
        );
  if (planned !== undefined && (await writeCreate(context, planned)) instanceof Unwritten) throw new Stale('access');
  const at = (places: readonly number[] | undefined): number[] =>
    (places ?? []).map((place) => matched[place] as number);
  const reports: [TypecastReport | undefined, readonly number[]][] = [
    [upserted?.update?.cells.report, at(upserted?.changed)],
    [upserted?.create?.report, at(upserted?.missing)],
    [planned?.report, others],
  ];
  const operations = [upserted?.update?.operation, upserted?.create?.operation, planned?.operation].filter(
    (operation) => operation !== undefined,
  );
  return {
    operationIds: operations.map(({ publicId }) => publicId),
    updated: upserted?.changed.length ?? 0,
    misfits: reports.flatMap(([report, places]) => misfitsOf(report, places)),
    misfitCount: reports.reduce((sum, [report]) => sum + (report?.total ?? 0), 0),
    notifies: operations.some(({ notify }) => notify !== null),
  };
};

/** What cannot pass ends the import, with its place. What passes is waited for: the job comes again, and goes on behind the last row that is in. */
const explain = (error: unknown, rows: readonly Row[]): unknown =>
  error instanceof ApiError && error.passes === 'no'
    ? new GiveUp(`Rows ${rows[0]?.number} to ${rows.at(-1)?.number}: ${error.message}`)
    : error;

const step = async (
  services: Services,
  job: RunningJob<ImportPayload>,
  so: Imported,
  rows: readonly Row[],
  read: number,
): Promise<Imported> => {
  let next = so;
  let notifies = false;
  const once = (): Promise<void> =>
    job.step(async (tx) => {
      const written = await writeRows(tx, services, job, rows);
      notifies = written.notifies;
      next = {
        read,
        records: so.records + rows.length,
        misfits: [...so.misfits, ...written.misfits].slice(0, mostMisfits),
        misfitCount: so.misfitCount + written.misfitCount,
        ...(job.payload.matchFieldIds === undefined ? {} : { updated: (so.updated ?? 0) + written.updated }),
        operationIds: [...so.operationIds, ...written.operationIds],
      };
      return { result: next, done: next.records };
    });
  await untilFresh(services, job.payload.tableId, once).catch((error: unknown) => {
    throw explain(error, rows);
  });
  services.live.changed(job.payload.baseId);
  if (notifies) services.work.add(namedJob(job.payload.baseId));
  return next;
};

const begun: Imported = { read: 0, records: 0, misfits: [], misfitCount: 0, operationIds: [] };

interface Step {
  rows: Row[];
  /** Number of the last row of the file that was looked at. */
  read: number;
}

const rowsLooked = 5_000;

/** How a text of a column is written so that it is read right, whatever stands in the rows that are read with it. */
type Rewrite = (text: string) => string;

/** How each column of dates and numbers is read, by its first rows: the same way whenever the file is read again, and in all steps. */
const readingsOf = async (
  services: Services,
  { payload }: RunningJob<ImportPayload>,
  file: FileFacts,
): Promise<ReadonlyMap<number, Rewrite>> => {
  const table = await presentTable(services, payload.baseId, payload.tableId).catch((error: unknown) => {
    // A table that is gone is told of by the first step.
    if (error instanceof ApiError && error.passes === 'no') return undefined;
    throw error;
  });
  const targets = Object.entries(payload.columns);
  const kindOf = (fieldId: string): string | undefined => {
    const field = table?.byId.get(fieldId);
    return field === undefined ? undefined : cellTypeOf(field).kind;
  };
  // A column that goes into fields of several kinds stays as it is.
  const kinds = new Map<number, string | undefined>();
  for (const [fieldId, at] of targets)
    kinds.set(at, !kinds.has(at) || kinds.get(at) === kindOf(fieldId) ? kindOf(fieldId) : undefined);
  const columns = [...kinds].filter(([, kind]) => kind === 'date' || kind === 'number').map(([at]) => at);
  if (columns.length === 0) return new Map();
  const source = await openSource(services.files.storage, file, payload.fileType);
  try {
    const first = await firstRows(
      (source.rows(payload.sheet) ?? []) as AsyncIterable<unknown[][]>,
      rowsLooked,
      Math.max(...columns) + 1,
    );
    const formatOf = (at: number): string =>
      formattingOf(table?.byId.get(targets.find(([, column]) => column === at)?.[0] ?? '')?.options ?? {}).date;
    const rewriteOf = (at: number): Rewrite => {
      const texts = first.slice(skippedRows(payload)).map((row) => asText(row[at] ?? ''));
      if (kinds.get(at) === 'number') {
        const sign = decimalSignOf(texts);
        return (text) => withDecimalPoint(text, sign);
      }
      const { order } = decideOrder(formatOf(at), orderOfColumn(texts), payload.dateOrder);
      return (text) => inOrder(text, order);
    };
    return new Map(columns.map((at) => [at, rewriteOf(at)]));
  } finally {
    await source.close();
  }
};

/** Only what goes into fields stays in memory until it is written. */
async function* inSteps(
  all: AsyncIterable<readonly unknown[][]>,
  wanted: ReadonlySet<number>,
  readings: ReadonlyMap<number, Rewrite>,
  isPassed: (number: number) => boolean,
  isCrowded: () => boolean,
): AsyncGenerator<Step> {
  const read = (value: unknown, at: number): unknown => {
    const rewrite = readings.get(at);
    return typeof value === 'string' && rewrite !== undefined ? rewrite(value) : value;
  };
  let rows: Row[] = [];
  let [number, length] = [0, 0];
  for await (const some of all) {
    for (const values of some) {
      number += 1;
      if (isPassed(number) || values.every((value) => value === '')) continue;
      rows.push({
        number,
        values:
          values.length <= wanted.size && readings.size === 0
            ? values
            : values.map((value, at) => (wanted.has(at) ? read(value, at) : undefined)),
      });
      for (const value of values) length += typeof value === 'string' ? value.length : 8;
      if (rows.length < (isCrowded() ? perCrowdedStep : perStep) && length < textPerStep) continue;
      yield { rows, read: number };
      [rows, length] = [[], 0];
    }
  }
  if (rows.length > 0) yield { rows, read: number };
}

/** The next one is made while the database is at work on this one. */
async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const ask = (): Promise<IteratorResult<T>> => {
    const asked = source.next();
    asked.catch(() => undefined);
    return asked;
  };
  try {
    for (let next = ask(); ; ) {
      const { value, done } = await next;
      if (done === true) return;
      next = ask();
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}

/** Which rows are in is said with the reason why no more are. */
const sayWhatIsIn = (error: unknown, { payload, result }: RunningJob<ImportPayload>): unknown => {
  const { read = 0, records = 0 } = (result as Imported | null) ?? {};
  if (!(error instanceof GiveUp) || records === 0) return error;
  return new GiveUp(
    `${error.message}. Rows ${skippedRows(payload) + 1} to ${read} of the file are in (records: ${records}), none after them`,
  );
};

const runImport = async (services: Services, job: RunningJob<ImportPayload>): Promise<Imported> =>
  addRows(services, job).catch((error: unknown) => {
    throw sayWhatIsIn(error, job);
  });

const addRows = async (services: Services, job: RunningJob<ImportPayload>): Promise<Imported> => {
  const { token, fileType, sheet } = job.payload;
  const file = await selectFile(services.db, token);
  if (file === undefined) throw new GiveUp('The file is not there any more');
  const source = await openSource(services.files.storage, file, fileType);
  try {
    const all = source.rows(sheet);
    if (all === undefined) throw new GiveUp(`The file has no sheet ${JSON.stringify(sheet)}`);
    const before = (job.result as Imported | null) ?? begun;
    let so = before;
    const readings = await readingsOf(services, job, file);
    const skipped = source.names === undefined ? skippedRows(job.payload) : 0;
    const steps = ahead(
      inSteps(
        all,
        new Set(Object.values(job.payload.columns)),
        readings,
        (number) => number <= skipped || number <= before.read,
        job.isCrowded,
      ),
    );
    try {
      for await (const { rows, read } of steps) {
        job.signal.throwIfAborted();
        so = await step(services, job, so, rows, read);
        await job.giveWay();
      }
    } finally {
      await steps.return(undefined);
    }
    return so;
  } finally {
    await source.close();
  }
};

export const importJob: JobKind<Services, ImportPayload> = {
  name: importKind,
  isLong: true,
  givesWay: true,
  atOnce: 2,
  retry: { attempts: 5, first: 2, longest: 60 },
  run: runImport,
};
