// The rows of a file become records, some thousand in each transaction. How far it is, is written down with them: after a
// restart the file is read again, and what is there already is passed over.
import { type DateOrder, decideOrder, inOrder, orderOfColumn } from '@rowhouse/contract/date-order.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import type { ImportFileType } from '@rowhouse/contract/import.ts';
import type { Action } from '@rowhouse/contract/permission.ts';
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
  skipFirst: boolean;
  /** Field id → column of the file. */
  columns: Record<string, number>;
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
  misfits: Misfit[];
  misfitCount: number;
  /** Each undoes a part. */
  operationIds: string[];
}

/** Records in each transaction. */
export const perStep = 5_000;
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

const writeRows = async (
  tx: Tx,
  services: Services,
  job: RunningJob<ImportPayload>,
  rows: readonly Row[],
): Promise<{ operationId: string; misfits: Misfit[]; misfitCount: number; notifies: boolean }> => {
  const { baseId, tableId, actions, by } = job.payload;
  const context = await actInTable(services, tx, by, tableId, actions, job.id);
  const present = await loadTable(tx, baseId, tableId);
  // A field that was deleted meanwhile gets nothing.
  const columns = Object.entries(job.payload.columns).filter(([fieldId]) => present.byId.has(fieldId));
  const input = {
    rows: rows.map((row) => ({ fields: cellsOf(row, columns) })),
    keyType: 'id' as const,
    typecast: true,
    reportsDropped: true as const,
    isUnanswered: true as const,
  };
  const planned = await planCreate(context, sightOf(context, present), input);
  if ((await writeCreate(context, planned)) instanceof Unwritten) throw new Stale('access');
  return {
    operationId: planned.operation.publicId,
    misfits: (planned.report?.entries ?? []).map(({ index, field, from }) => ({
      row: (rows[index] as Row).number,
      field: present.byId.get(field)?.name ?? field,
      value: asText(from).slice(0, longestShown),
    })),
    misfitCount: planned.report?.total ?? 0,
    notifies: planned.operation.notify !== null,
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
        operationIds: [...so.operationIds, written.operationId],
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

/** How each column of dates is read, by its first rows: the same way whenever the file is read again, and in all steps. */
const dateOrders = async (
  services: Services,
  { payload }: RunningJob<ImportPayload>,
  file: FileFacts,
): Promise<ReadonlyMap<number, DateOrder>> => {
  const table = await presentTable(services, payload.baseId, payload.tableId).catch((error: unknown) => {
    // A table that is gone is told of by the first step.
    if (error instanceof ApiError && error.passes === 'no') return undefined;
    throw error;
  });
  const targets = Object.entries(payload.columns);
  const isDate = (fieldId: string): boolean => {
    const field = table?.byId.get(fieldId);
    return field !== undefined && cellTypeOf(field).kind === 'date';
  };
  const columns = new Set(targets.filter(([fieldId]) => isDate(fieldId)).map(([, at]) => at));
  for (const [fieldId, at] of targets) if (!isDate(fieldId)) columns.delete(at);
  if (columns.size === 0) return new Map();
  const source = await openSource(services.files.storage, file, payload.fileType);
  try {
    const first = await firstRows(
      (source.rows(payload.sheet) ?? []) as AsyncIterable<unknown[][]>,
      rowsLooked,
      Math.max(...columns) + 1,
    );
    const formatOf = (at: number): string =>
      formattingOf(table?.byId.get(targets.find(([, column]) => column === at)?.[0] ?? '')?.options ?? {}).date;
    return new Map(
      [...columns].map((at) => [
        at,
        decideOrder(formatOf(at), orderOfColumn(first.map((row) => asText(row[at] ?? ''))), payload.dateOrder).order,
      ]),
    );
  } finally {
    await source.close();
  }
};

/** Only what goes into fields stays in memory until it is written. */
async function* inSteps(
  all: AsyncIterable<readonly unknown[][]>,
  wanted: ReadonlySet<number>,
  orders: ReadonlyMap<number, DateOrder>,
  isPassed: (number: number) => boolean,
): AsyncGenerator<Step> {
  const read = (value: unknown, at: number): unknown => {
    const order = orders.get(at);
    return typeof value === 'string' && order !== undefined ? inOrder(value, order) : value;
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
          values.length <= wanted.size && orders.size === 0
            ? values
            : values.map((value, at) => (wanted.has(at) ? read(value, at) : undefined)),
      });
      for (const value of values) length += typeof value === 'string' ? value.length : 8;
      if (rows.length < perStep && length < textPerStep) continue;
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
const sayWhatIsIn = (error: unknown, { payload: { skipFirst }, result }: RunningJob<ImportPayload>): unknown => {
  const { read = 0, records = 0 } = (result as Imported | null) ?? {};
  if (!(error instanceof GiveUp) || records === 0) return error;
  return new GiveUp(
    `${error.message}. Rows ${skipFirst ? 2 : 1} to ${read} of the file are in (records: ${records}), none after them`,
  );
};

const runImport = async (services: Services, job: RunningJob<ImportPayload>): Promise<Imported> =>
  addRows(services, job).catch((error: unknown) => {
    throw sayWhatIsIn(error, job);
  });

const addRows = async (services: Services, job: RunningJob<ImportPayload>): Promise<Imported> => {
  const { token, fileType, sheet, skipFirst } = job.payload;
  const file = await selectFile(services.db, token);
  if (file === undefined) throw new GiveUp('The file is not there any more');
  const source = await openSource(services.files.storage, file, fileType);
  try {
    const all = source.rows(sheet);
    if (all === undefined) throw new GiveUp(`The file has no sheet ${JSON.stringify(sheet)}`);
    const before = (job.result as Imported | null) ?? begun;
    let so = before;
    const orders = await dateOrders(services, job, file);
    const steps = ahead(
      inSteps(
        all,
        new Set(Object.values(job.payload.columns)),
        orders,
        (number) => (skipFirst && source.names === undefined && number === 1) || number <= before.read,
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
