// What a client does to the tables that all share. Another may have deleted a record meanwhile, or changed it.
import { createField, deleteField } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import {
  createRecords,
  deleteRecords,
  duplicateRecord,
  updateRecord,
  updateRecords,
} from '@rowhouse/contract/record.ts';
import { setViewGroup } from '@rowhouse/contract/view.ts';
import { moveRecords, sortManually } from '@rowhouse/contract/view-order.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Line, Reply } from '../client.ts';
import type { Random } from '../random.ts';
import { type Deed, type Fields, judge, reshapeField, type SharedTable, type World } from './world.ts';

interface Client {
  world: World;
  random: Random;
  /** The field of this client in a shared table: it alone changes it. */
  field: { table: SharedTable; id: string } | undefined;
}

const most = 60;

const lineOf = ({ world, random }: Client): Line => random.pick(world.lines);

const some = ({ random }: Client, table: SharedTable, count: number): string[] => [
  ...new Set(Array.from({ length: 1 + random.below(count) }, () => random.pick(table.ids))),
];

const forget = (table: SharedTable, ids: readonly string[]): void => {
  for (const id of ids) {
    const at = table.ids.indexOf(id);
    if (at >= 0) table.ids.splice(at, 1);
  }
};

const cells = ({ world, random, field }: Client, table: SharedTable): Fields => {
  const { fieldIds } = table;
  return {
    [fieldIds.count]: world.nextCount(),
    ...(random.once(2) ? { [fieldIds.name]: random.once(5) ? null : `name ${random.below(100)}` } : {}),
    ...(random.once(4) ? { [fieldIds.kind]: `kind ${random.below(12)}` } : {}),
    ...(random.once(5) ? { [fieldIds.tags]: [`tag ${random.below(6)}`, `tag ${6 + random.below(6)}`] } : {}),
    ...(field?.table === table && random.once(2) ? { [field.id]: `own ${random.below(1_000)}` } : {}),
  };
};

const note = (table: SharedTable, reply: Reply<unknown>, deed: Deed): void => {
  const operation = reply.headers['x-operation-id'];
  if (typeof operation !== 'string') return;
  table.deeds.set(operation, deed);
  if (deed.kind !== 'delete') table.undoable.push(operation);
  if (deed.kind === 'delete') table.deletions.push(operation);
  if (table.undoable.length > 200) table.undoable.splice(0, 100);
};

const create = async (client: Client, table: SharedTable): Promise<void> => {
  const { world, random } = client;
  const rows = Array.from({ length: 1 + random.below(3) }, () => ({ fields: cells(client, table) }));
  const order =
    random.once(5) && table.ids.length > 0
      ? {
          order: {
            viewId: table.viewId,
            anchorId: random.pick(table.ids),
            position: random.pick(['before', 'after'] as const),
          },
        }
      : {};
  const reply = await lineOf(client).call(createRecords, {
    params: { tableId: table.id },
    body: { records: rows, fieldKeyType: 'id', typecast: true, ...order },
  });
  if (!judge(world, 'create', reply, 201, ...('order' in order ? [404] : []))) return;
  const ids = reply.body.records.map(({ id }) => id);
  note(table, reply, { kind: 'create', rows: rows.map(({ fields }, at) => ({ id: ids[at] as string, fields })) });
  table.ids.push(...ids);
};

const update = async (client: Client, table: SharedTable): Promise<void> => {
  const { world } = client;
  const rows = some(client, table, 4).map((id) => ({ id, fields: cells(client, table) }));
  const reply = await lineOf(client).call(updateRecords, {
    params: { tableId: table.id },
    body: { records: rows, fieldKeyType: 'id', typecast: true },
  });
  if (judge(world, 'update', reply, 200, 404)) note(table, reply, { kind: 'update', rows, answer: reply.body });
};

const updateIfUnchanged = async (client: Client, table: SharedTable): Promise<void> => {
  const { world, random } = client;
  const params = { tableId: table.id, recordId: random.pick(table.ids) };
  const read = await lineOf(client).call(updateRecord, {
    params,
    body: { record: { fields: {} }, fieldKeyType: 'id' },
  });
  if (!judge(world, 'update by nothing', read, 200, 404)) return;
  note(table, read, { kind: 'update', rows: [], answer: [read.body] });
  const fields = cells(client, table);
  const reply = await lineOf(client).call(updateRecord, {
    params,
    body: { record: { fields }, fieldKeyType: 'id', typecast: true },
    headers: { 'if-match': read.headers.etag as string },
  });
  if (judge(world, 'update if unchanged', reply, 200, 404, 412))
    note(table, reply, { kind: 'update', rows: [{ id: params.recordId, fields }], answer: [reply.body] });
};

const remove = async (client: Client, table: SharedTable): Promise<void> => {
  const ids = some(client, table, 2);
  const reply = await lineOf(client).call(deleteRecords, { params: { tableId: table.id }, query: { recordIds: ids } });
  // Of two that are asked for, another client may have deleted one.
  if (judge(client.world, 'delete', reply, 200, 404, ...(ids.length > 1 ? [400] : [])))
    note(table, reply, { kind: 'delete', ids });
  forget(table, ids);
};

const duplicate = async (client: Client, table: SharedTable): Promise<void> => {
  const { world, random } = client;
  const reply = await lineOf(client).call(duplicateRecord, {
    params: { tableId: table.id, recordId: random.pick(table.ids) },
  });
  if (!judge(world, 'duplicate', reply, 201, 404)) return;
  const rows = reply.body.records.map(({ id, fields }) => ({ id, fields }));
  note(table, reply, { kind: 'create', rows });
  table.ids.push(...rows.map(({ id }) => id));
};

const restore = async (client: Client, table: SharedTable): Promise<void> => {
  const { world, random } = client;
  if (table.undoable.length === 0) return;
  const of = random.pick(table.undoable);
  const reply = await lineOf(client).call(restoreHistory, {
    params: { tableId: table.id },
    body: { operationId: of, force: random.once(2) },
  });
  // 404: the records that came by it have gone since.
  if (judge(world, 'restore', reply, 200, 404, 409))
    note(table, reply, { kind: 'restore', of, recordIds: reply.body.recordIds });
};

/** Another may be bringing the same back. */
const bringBack = async (client: Client, table: SharedTable): Promise<void> => {
  const { world, random } = client;
  if (table.deletions.length === 0) return;
  const of = random.pick(table.deletions.slice(-8));
  const reply = await lineOf(client).call(restoreHistory, {
    params: { tableId: table.id },
    body: { operationId: of, force: random.once(2) },
  });
  if (!judge(world, 'bring back', reply, 200, 404)) return;
  note(table, reply, { kind: 'restore', of, recordIds: reply.body.recordIds });
  table.ids.push(...reply.body.recordIds);
};

const move = async (client: Client, table: SharedTable): Promise<void> => {
  const { world, random } = client;
  const recordIds = some(client, table, 3);
  const anchorId = random.pick(table.ids);
  if (recordIds.includes(anchorId)) return;
  const reply = await lineOf(client).call(moveRecords, {
    params: { tableId: table.id, viewId: table.viewId },
    body: { recordIds, anchorId, position: random.pick(['before', 'after'] as const) },
  });
  if (judge(world, 'move', reply, 200, 404))
    table.deeds.set(reply.headers['x-operation-id'] as string, { kind: 'update', rows: [], answer: [] });
};

/** The same request by way of both servers at once, as after a time-out: it is carried out once, and answered twice. */
const createOnce = async (client: Client, table: SharedTable): Promise<void> => {
  const { world } = client;
  const rows = [{ fields: cells(client, table) }, { fields: cells(client, table) }];
  const send = (line: Line) =>
    line.call(createRecords, {
      params: { tableId: table.id },
      body: { records: rows, fieldKeyType: 'id', typecast: true },
      headers: { 'idempotency-key': `key ${rows[0]?.fields[table.fieldIds.count]}` },
    });
  const replies = await Promise.all(world.lines.map(send));
  if (!replies.map((reply) => judge(world, 'create once', reply, 201)).every(Boolean)) return;
  const [first, ...others] = replies as [(typeof replies)[0]];
  world.failures.demand(
    others.every(({ body }) => isDeepStrictEqual(body, first.body)),
    () => `one key, two answers: ${JSON.stringify(replies.map(({ body }) => body)).slice(0, 300)}`,
  );
  const ids = first.body.records.map(({ id }) => id);
  note(table, first, { kind: 'create', rows: rows.map(({ fields }, at) => ({ id: ids[at] as string, fields })) });
  table.ids.push(...ids);
};

/** By its own field, which it renames and deletes, or by one that stays: creates answer with the headers of that view. */
const regroup = async (client: Client, table: SharedTable): Promise<void> => {
  const { world, random, field } = client;
  const fieldId =
    field?.table === table && random.once(2) ? field.id : random.pick([table.fieldIds.kind, table.fieldIds.name]);
  const group = random.once(5) ? null : [{ fieldId, order: random.pick(['asc', 'desc'] as const) }];
  judge(
    world,
    'group',
    await lineOf(client).call(setViewGroup, { params: { tableId: table.id, viewId: table.viewId }, body: { group } }),
    200,
  );
};

const sortByHand = async (client: Client, table: SharedTable): Promise<void> => {
  const { world, random } = client;
  const sortObjs = [
    { fieldId: random.pick([table.fieldIds.count, table.fieldIds.name]), order: random.pick(['asc', 'desc'] as const) },
  ];
  judge(
    world,
    'sort by hand',
    await lineOf(client).call(sortManually, {
      params: { tableId: table.id, viewId: table.viewId },
      body: { sortObjs },
    }),
    200,
  );
};

const changeField = async (client: Client, table: SharedTable): Promise<void> => {
  const { world, random, field } = client;
  const line = lineOf(client);
  if (field === undefined) {
    const made = await line.call(createField, {
      params: { tableId: table.id },
      body: { name: `Field ${random.below(1_000)}`, type: 'singleLineText' },
    });
    if (!judge(world, 'create a field', made, 201)) return;
    client.field = { table, id: made.body.id };
    table.added.add(made.body.id);
    return;
  }
  const params = { tableId: field.table.id, fieldId: field.id };
  if (random.below(3) < 2) await reshapeField(world, line, random, params);
  else {
    // From here on its cells count for nothing.
    client.field = undefined;
    field.table.added.delete(field.id);
    judge(world, 'delete a field', await line.call(deleteField, { params }), 200);
  }
};

/** One step of a client on one of the shared tables. */
export const stepShared = (client: Client): Promise<void> => {
  const { world, random } = client;
  const table = random.pick(world.tables);
  if (table.ids.length < 10) return create(client, table);
  if (table.ids.length > most) return remove(client, table);
  const dice = random.below(100);
  if (dice < 14) return create(client, table);
  if (dice < 18) return createOnce(client, table);
  if (dice < 60) return update(client, table);
  if (dice < 68) return updateIfUnchanged(client, table);
  if (dice < 80) return remove(client, table);
  if (dice < 85) return duplicate(client, table);
  if (dice < 91) return restore(client, table);
  if (dice < 93) return bringBack(client, table);
  if (dice < 95) return move(client, table);
  if (dice < 96) return sortByHand(client, table);
  return dice < 98 ? regroup(client, table) : changeField(client, table);
};
