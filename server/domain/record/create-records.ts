// POST /table/:tableId/record
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { createRecords as endpoint, Order, TypecastReport } from '@rowhouse/contract/record.ts';
import { Stale } from '../../catalog/stale.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { addChoices } from './add-choices.ts';
import { type CellRequest, readNewCells } from './cells.ts';
import { createdParts } from './created-json.ts';
import { groupPointsOf } from './group-points.ts';
import { insertTogether } from './insert-together.ts';
import { type Inserted, insertRows } from './insert.sql.ts';
import { permissionsJson } from './json.sql.ts';
import { notifyOfCreate } from './notify.ts';
import { placeRecords, viewOf, withOrderColumn } from './order.ts';
import { peopleFor } from './people.ts';
import { explainConstraint } from './unique.ts';
import { withRoom } from './with-room.ts';
import { cellContext, keysOf, type NewChoices, operationOf, refuseTooMany, retryWhenStale, type TableAccess, tableOf } from './write.ts';

export interface Created {
  operationId: string;
  /** The records as JSON text without brackets, in request order; made part by part when asked for, once. */
  records: Iterable<string>;
  ids: string[];
  report: TypecastReport | undefined;
}

export interface CreateInput extends CellRequest {
  order?: Order | undefined;
}

/** Reads the cells, then writes them with `db`: the pool for one statement, or the transaction it is part of. */
export const insertRecords = async (context: Context, db: Queryable, table: TableSchema, input: CreateInput): Promise<Created> => {
  const { spaceId } = context.access as TableAccess;
  const added: NewChoices = new Map();
  const people = await peopleFor(db, table, spaceId, keysOf(input.rows), true);
  const { columns, report } = readNewCells(table, input, cellContext(context, people, added));
  const ids = input.rows.map(() => context.newId('rec'));
  const operation = { ...operationOf(context, 'create'), count: ids.length, notify: notifyOfCreate(columns, ids, context.principal.userId) };

  const write = async (on: Queryable, present: TableSchema): Promise<Iterable<string>> => {
    let target = present;
    if (added.size > 0) target = await addChoices(on, target, added);
    if (input.order !== undefined) target = await withOrderColumn(on, target, viewOf(target, input.order.viewId));
    const order = input.order === undefined ? null : await placeRecords(on, target, input.order, ids.length);
    const guard = { table: target, epoch: context.access.epoch, spaceId };
    const insert = (handle: Queryable): Promise<Inserted | undefined> => {
      const { keyType } = input;
      const work =
        handle === context.db && order === null
          ? insertTogether(context.db, { guard, rows: { ids, columns, order }, keyType, operation })
          : insertRows(handle, guard, { ids, columns, order }, keyType, [operation]);
      return work.catch((error: unknown) => {
        throw explainConstraint(error, target, columns, input);
      });
    };
    const inserted = (await insert(on)) ?? (await withRoom(context, on, guard, ids.length, insert));
    if (inserted === undefined) throw new Stale('access');
    return createdParts(target, { ids, columns, inserted, keyType: input.keyType, createdBy: operation.actor, permissions: permissionsJson(target, context.access, input.keyType) });
  };

  const severalStatements = added.size > 0 || input.order !== undefined;
  const records = db === context.db && severalStatements ? await context.db.transaction((tx) => write(tx, table)) : await write(db, table);
  if (severalStatements) context.catalog.forget(table.id);
  if (operation.notify !== null) context.live.named(table.baseId);
  return { operationId: operation.publicId, records, ids, report };
};

export interface Answered {
  operationId: string;
  /** The body of the answer, in parts. */
  text: Iterable<string>;
}

function* answerParts(records: Iterable<string>, extra: string): Generator<string> {
  yield '{"records":[';
  yield* records;
  yield `],"extra":${extra}}`;
}

export const createRecords = async (context: Context, body: BodyOf<typeof endpoint>, db: Queryable = context.db): Promise<Answered> => {
  refuseTooMany(body.records.length, context.config.recordsPerRequest);
  return retryWhenStale(context, async () => {
    const table = await tableOf(context);
    if (body.order !== undefined) viewOf(table, body.order.viewId);
    if (body.records.length === 0) return { operationId: '', text: answerParts([], '{"groupPoints":[]}') };
    const created = await insertRecords(context, db, table, {
      rows: body.records,
      keyType: body.fieldKeyType ?? 'name',
      typecast: body.typecast ?? false,
      order: body.order,
    });
    const view = body.order === undefined ? table.views[0] : viewOf(table, body.order.viewId);
    const points = view?.group === null || view === undefined ? [] : await groupPointsOf(db, table, view, { userId: context.principal.userId, now: context.now() });
    const report = created.report === undefined ? '' : `,"typecast":${JSON.stringify(created.report)}`;
    return { operationId: created.operationId, text: answerParts(created.records, `{"groupPoints":${JSON.stringify(points)}${report}}`) };
  });
};
