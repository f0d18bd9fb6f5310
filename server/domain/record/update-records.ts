// PATCH /table/:tableId/record, and the heart of every other change of cells.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { FieldKeyType, Order, TypecastReport, updateRecords as endpoint } from '@rowhouse/contract/record.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { addChoices } from './add-choices.ts';
import { type CellRequest, type Cells, readChangedCells } from './cells.ts';
import { fieldVersions } from '../field/field-version.ts';
import type { Guard } from './guard.sql.ts';
import { permissionsJson } from './json.sql.ts';
import { explainNothing } from './missing.ts';
import { notifyOfUpdate } from './notify.ts';
import type { OperationFacts } from '../../catalog/operation.sql.ts';
import { placeRecords, viewOf, withOrderColumn } from './order.ts';
import { peopleFor } from './people.ts';
import { explainConstraint } from './unique.ts';
import { type UpdatedRow, updateRows } from './update.sql.ts';
import { cellContext, keysOf, type NewChoices, operationOf, refuseTooMany, retryWhenStale, type TableAccess, tableOf } from './write.ts';

export interface Updated {
  operationId: string;
  /** Whole records as JSON text, in request order. */
  records: string[];
  versions: number[];
  report: TypecastReport | undefined;
}

export interface UpdateRequest extends CellRequest {
  rows: readonly { id: string; fields: Record<string, unknown> }[];
  order?: Order | undefined;
  /** Only if the record still has this version (single updates). */
  version?: number | undefined;
}

const writeCells = async (
  context: Context,
  db: Queryable,
  table: TableSchema,
  request: UpdateRequest,
  cells: Cells,
  operation: OperationFacts,
): Promise<UpdatedRow[]> => {
  const ids = request.rows.map((row) => row.id);
  const guard: Guard = { table, epoch: context.access.epoch };
  const order = request.order === undefined ? null : await placeRecords(db, table, request.order, ids.length);
  const metaIds = await fieldVersions(db, table);
  const rows = await updateRows(db, guard, { ids, columns: cells.columns, order, version: request.version ?? null, metaIds, keyType: request.keyType }, operation).catch((error: unknown) => {
    throw explainConstraint(error, table, cells.columns, request);
  });
  if (rows.length !== ids.length) throw await explainNothing(db, guard, ids, request.version);
  return rows;
};

const refuseTwice = (ids: readonly string[]): void => {
  const seen = new Set<string>();
  ids.forEach((id, index) => {
    if (seen.has(id)) throw invalid({ path: `records[${index}].id`, message: `The record ${id.slice(0, 50)} is there twice`, expected: 'every record once' });
    seen.add(id);
  });
};

const inRequestOrder = (rows: readonly UpdatedRow[], ids: readonly string[], tail: string): Pick<Updated, 'records' | 'versions'> => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const sorted = ids.map((id) => byId.get(id) as UpdatedRow);
  return { records: sorted.map((row) => row.json + tail), versions: sorted.map((row) => row.version) };
};

/** `within`: the transaction that this change is part of; without it the change is a statement, or a transaction, of its own. */
export const changeRecords = async (
  context: Context,
  table: TableSchema,
  request: UpdateRequest,
  { kind = 'update', within }: { kind?: OperationFacts['kind']; within?: Queryable } = {},
): Promise<Updated> => {
  const { spaceId } = context.access as TableAccess;
  const ids = request.rows.map((row) => row.id);
  refuseTwice(ids);
  const added: NewChoices = new Map();
  const people = await peopleFor(within ?? context.db, table, spaceId, keysOf(request.rows), false);
  const cells = readChangedCells(table, request, cellContext(context, people, added));
  const operation = { ...operationOf(context, kind), notify: notifyOfUpdate(cells.columns) };
  const severalStatements = added.size > 0 || request.order !== undefined;
  const write = async (db: Queryable): Promise<UpdatedRow[]> => {
    let target = table;
    if (added.size > 0) target = await addChoices(db, target, added);
    if (request.order !== undefined) target = await withOrderColumn(db, target, viewOf(target, request.order.viewId));
    return writeCells(context, db, target, request, cells, operation);
  };
  const rows = within !== undefined ? await write(within) : severalStatements ? await context.db.transaction(write) : await write(context.db);
  if (severalStatements) context.catalog.forget(table.id);
  if (operation.notify !== null) context.live.named(table.baseId);
  const tail = permissionsJson(table, context.access, request.keyType);
  return { operationId: operation.publicId, ...inRequestOrder(rows, ids, tail), report: cells.report };
};

export const updateRecords = (context: Context, body: BodyOf<typeof endpoint>): Promise<Updated> => {
  refuseTooMany(body.records.length, context.config.recordsPerRequest);
  return retryWhenStale(context, async () => {
    const table = await tableOf(context);
    if (body.order !== undefined) viewOf(table, body.order.viewId);
    if (body.records.length === 0) return { operationId: '', records: [], versions: [], report: undefined };
    const keyType: FieldKeyType = body.fieldKeyType ?? 'name';
    return changeRecords(context, table, { rows: body.records, keyType, typecast: body.typecast ?? false, order: body.order });
  });
};
