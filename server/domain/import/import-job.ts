// The rows of a file become records, some thousand in each transaction. How far it is, is written down with them: after a
// restart the file is read again, and what is there already is passed over.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { ImportFileType } from '@rowhouse/contract/import.ts';
import type { Access } from '../../catalog/access.ts';
import { namedJob } from '../../catalog/outbox.ts';
import type { Principal } from '../../catalog/principal.ts';
import { seesEverything, sightOf } from '../../catalog/sight.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { type TableAccess, type TableContext, Unwritten } from '../../pipeline/pipeline.ts';
import { Stale } from '../../pipeline/stale.ts';
import { GiveUp, type JobKind, type RunningJob } from '../../work/job.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { selectFile } from '../file/file.sql.ts';
import { demandBytesIn } from '../plan/demand-bytes.ts';
import { planCreate, writeCreate } from '../record/write/create-records.ts';
import { openSource } from './source.ts';

export const importKind = 'import-records';

export interface ImportPayload {
  baseId: string;
  tableId: string;
  token: string;
  fileType: ImportFileType;
  sheet: string;
  skipFirst: boolean;
  /** Field id → column of the file. */
  columns: Record<string, number>;
  by: Pick<Principal, 'userId' | 'tokenId' | 'clientId'>;
}

/** A value that its field could not take, and that was left out. */
export interface Misfit {
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

const perStep = 5_000;
const mostMisfits = 1_000;
const longestShown = 500;
const mostTries = 20;

interface Row {
  number: number;
  values: readonly string[];
}

const accessOf = (principal: Principal, { baseId, tableId }: ImportPayload, { spaceId, role, epoch }: { spaceId: string; role: Access['role']; epoch: number }): TableAccess => ({
  epoch, principal, spaceId, baseId, tableId, role, lacksSecondFactor: false, levels: [], bytes: 0, sight: seesEverything,
});

/** As the one who started it, if they still may. */
const contextFor = async (tx: Tx, services: Services, { id, payload }: RunningJob<ImportPayload>): Promise<TableContext> => {
  const principal: Principal = { ...payload.by, name: '', email: '', isAdmin: false, kind: 'session', scopes: null, reach: null, expires: Number.POSITIVE_INFINITY };
  const stand = await demandAccess(tx, { principal, access: { principal } as Access }, { type: 'table', id: payload.tableId, trashed: false }, 'record|create');
  await demandBytesIn(tx, services, stand.spaceId);
  const access = accessOf(principal, payload, stand);
  return { ...services, db: tx, principal, access, requestId: id, from: { ip: '', userAgent: null }, refresh: () => Promise.reject(new Stale('access')), noteOperation: () => undefined };
};

const cellsOf = ({ values }: Row, columns: readonly (readonly [string, number])[]): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const [fieldId, at] of columns) {
    const value = values[at];
    if (value !== undefined && value !== '') fields[fieldId] = value;
  }
  return fields;
};

const writeRows = async (tx: Tx, services: Services, job: RunningJob<ImportPayload>, rows: readonly Row[]): Promise<{ operationId: string; misfits: Misfit[]; misfitCount: number; notifies: boolean }> => {
  const context = await contextFor(tx, services, job);
  const { baseId, tableId } = job.payload;
  const present = await loadTable(tx, baseId, tableId);
  // A field that was deleted meanwhile gets nothing.
  const columns = Object.entries(job.payload.columns).filter(([fieldId]) => present.byId.has(fieldId));
  const input = { rows: rows.map((row) => ({ fields: cellsOf(row, columns) })), keyType: 'id' as const, typecast: true, reportsDropped: true as const };
  const planned = await planCreate(context, sightOf(context, present), input);
  if ((await writeCreate(context, planned)) instanceof Unwritten) throw new Stale('access');
  return {
    operationId: planned.operation.publicId,
    misfits: (planned.report?.entries ?? []).map(({ index, field, from }) => ({ row: (rows[index] as Row).number, field: present.byId.get(field)?.name ?? field, value: String(from).slice(0, longestShown) })),
    misfitCount: planned.report?.total ?? 0,
    notifies: planned.operation.notify !== null,
  };
};

const explain = (error: unknown, rows: readonly Row[]): unknown =>
  error instanceof ApiError && error.status < 500 ? new GiveUp(`Rows ${rows[0]?.number} to ${rows.at(-1)?.number}: ${error.message}`) : error;

/** Begun again when somebody changed the table meanwhile. */
const step = async (services: Services, job: RunningJob<ImportPayload>, so: Imported, rows: readonly Row[], read: number): Promise<Imported> => {
  for (let tries = 1; ; tries += 1) {
    let next = so;
    let notifies = false;
    try {
      await job.step(async (tx) => {
        const written = await writeRows(tx, services, job, rows);
        notifies = written.notifies;
        next = {
          read,
          records: so.records + rows.length,
          misfits: [...so.misfits, ...written.misfits].slice(0, mostMisfits),
          misfitCount: so.misfitCount + written.misfitCount,
          operationIds: [...so.operationIds, written.operationId],
        };
        return { cursor: next, done: next.records };
      });
      services.live.changed(job.payload.baseId);
      if (notifies) services.work.add(namedJob(job.payload.baseId));
      return next;
    } catch (error) {
      if (!(error instanceof Stale) || tries >= mostTries) throw explain(error, rows);
    }
  }
};

const begun: Imported = { read: 0, records: 0, misfits: [], misfitCount: 0, operationIds: [] };

export const runImport = async (services: Services, job: RunningJob<ImportPayload>): Promise<Imported> => {
  const { token, fileType, sheet, skipFirst } = job.payload;
  const file = await selectFile(services.db, token);
  if (file === undefined) throw new GiveUp('The file is not there any more');
  const source = await openSource(services.files.storage, file, fileType);
  try {
    const all = source.rows(sheet);
    if (all === undefined) throw new GiveUp(`The file has no sheet ${JSON.stringify(sheet)}`);
    let so = (job.cursor as Imported | null) ?? begun;
    let waiting: Row[] = [];
    let number = 0;
    for await (const values of all) {
      number += 1;
      if ((skipFirst && number === 1) || number <= so.read || values.every((value) => value === '')) continue;
      waiting.push({ number, values });
      if (waiting.length < perStep) continue;
      job.signal.throwIfAborted();
      so = await step(services, job, so, waiting, number);
      waiting = [];
    }
    return waiting.length === 0 ? so : await step(services, job, so, waiting, number);
  } finally {
    await source.close();
  }
};

export const importJob: JobKind<Services, ImportPayload> = { name: importKind, isLong: true, atOnce: 2, retry: { attempts: 5, first: 2, longest: 60 }, run: runImport };
