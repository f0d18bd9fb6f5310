// What a client does to a table of its own, by way of both servers in turn. Nobody else touches it, so that every
// answer, the cells and the order of the records are known beforehand.
import { createField, deleteField } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, duplicateRecord, updateRecords } from '@rowhouse/contract/record.ts';
import { deleteTable, deleteTablePermanently, renameTable } from '@rowhouse/contract/table.ts';
import { restoreTrash } from '@rowhouse/contract/trash.ts';
import { moveRecords } from '@rowhouse/contract/view-order.ts';
import { isDeepStrictEqual } from 'node:util';
import { readRecords } from '../chain.ts';
import type { Line } from '../client.ts';
import type { Random } from '../random.ts';
import { type Fields, judge, newTable, reshapeField, type World } from './world.ts';

interface Row {
  id: string;
  fields: Fields;
}

export interface Owner {
  world: World;
  random: Random;
  title: string;
  table: { id: string; viewId: string; name: string; count: string };
  /** Fields of text that were added. */
  added: string[];
  /** In the order of the view. */
  rows: Row[];
  /** The last update, and what it wrote over. */
  last: { operation: string; before: Row[] } | undefined;
}

const most = 40;

const lineOf = ({ world, random }: Owner): Line => random.pick(world.lines);

const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const cells = ({ world, random, table, added }: Owner): Fields => ({
  [table.count]: world.nextCount(),
  ...(random.once(2) ? { [table.name]: random.once(4) ? null : `name ${random.below(1_000)}` } : {}),
  ...Object.fromEntries(
    added.filter(() => random.once(2)).map((id) => [id, random.once(3) ? null : `text ${random.below(1_000)}`]),
  ),
});

interface Spot {
  anchorId: string;
  position: 'before' | 'after';
}

/** Next to one that is not among those that move. */
const spotBeside = ({ random, rows }: Owner, moving: readonly string[]): Spot | undefined => {
  const others = rows.filter(({ id }) => !moving.includes(id));
  return others.length === 0
    ? undefined
    : { anchorId: random.pick(others).id, position: random.pick(['before', 'after'] as const) };
};

const place = (owner: Owner, moving: readonly Row[], spot: Spot | undefined): void => {
  const ids = moving.map(({ id }) => id);
  const rest = owner.rows.filter(({ id }) => !ids.includes(id));
  const at =
    spot === undefined
      ? rest.length
      : rest.findIndex(({ id }) => id === spot.anchorId) + (spot.position === 'after' ? 1 : 0);
  owner.rows = [...rest.slice(0, at), ...moving, ...rest.slice(at)];
};

const inView = ({ table }: Owner, spot: Spot | undefined) =>
  spot === undefined ? {} : { order: { viewId: table.viewId, ...spot } };

const some = ({ random, rows }: Owner, count: number): Row[] => random.shuffled(rows).slice(0, 1 + random.below(count));

const create = async (owner: Owner): Promise<void> => {
  const { world, random, table } = owner;
  const records = Array.from({ length: 1 + random.below(3) }, () => ({ fields: cells(owner) }));
  const spot = random.once(3) ? spotBeside(owner, []) : undefined;
  const reply = await lineOf(owner).call(createRecords, {
    params: { tableId: table.id },
    body: { records, fieldKeyType: 'id', ...inView(owner, spot) },
  });
  if (!judge(world, 'create', reply, 201)) return;
  place(
    owner,
    reply.body.records.map(({ id }, at) => ({ id, fields: withoutEmpty((records[at] as { fields: Fields }).fields) })),
    spot,
  );
};

const update = async (owner: Owner): Promise<void> => {
  const { world, random, table } = owner;
  const chosen = some(owner, 3);
  const records = chosen.map(({ id }) => ({ id, fields: cells(owner) }));
  const spot = random.once(5)
    ? spotBeside(
        owner,
        chosen.map(({ id }) => id),
      )
    : undefined;
  const reply = await lineOf(owner).call(updateRecords, {
    params: { tableId: table.id },
    body: { records, fieldKeyType: 'id', ...inView(owner, spot) },
  });
  if (!judge(world, 'update', reply, 200)) return;
  owner.last = {
    operation: reply.headers['x-operation-id'] as string,
    before: chosen.map(({ id, fields }) => ({ id, fields })),
  };
  chosen.forEach((row, at) => {
    row.fields = withoutEmpty({ ...row.fields, ...(records[at] as Row).fields });
  });
  if (spot !== undefined) place(owner, chosen, spot);
};

const takeBack = async (owner: Owner): Promise<void> => {
  const { world, table, last } = owner;
  if (last === undefined) return;
  owner.last = undefined;
  const reply = await lineOf(owner).call(restoreHistory, {
    params: { tableId: table.id },
    body: { operationId: last.operation },
  });
  if (!judge(world, 'restore', reply, 200)) return;
  for (const { id, fields } of last.before) (owner.rows.find((row) => row.id === id) as Row).fields = fields;
};

const remove = async (owner: Owner): Promise<void> => {
  const { world, random, table } = owner;
  const ids = some(owner, 3).map(({ id }) => id);
  owner.last = undefined;
  const reply = await lineOf(owner).call(deleteRecords, { params: { tableId: table.id }, query: { recordIds: ids } });
  if (!judge(world, 'delete', reply, 200)) return;
  // Brought back at once, they stand where they stood.
  if (random.once(3)) {
    const back = await lineOf(owner).call(restoreHistory, {
      params: { tableId: table.id },
      body: { operationId: reply.headers['x-operation-id'] as string },
    });
    judge(world, 'bring back', back, 200);
  } else owner.rows = owner.rows.filter(({ id }) => !ids.includes(id));
};

const duplicate = async (owner: Owner): Promise<void> => {
  const { world, random, table, rows } = owner;
  const { id: recordId, fields } = random.pick(rows);
  const spot = random.once(2) ? spotBeside(owner, []) : undefined;
  const reply = await lineOf(owner).call(duplicateRecord, {
    params: { tableId: table.id, recordId },
    ...(spot === undefined ? {} : { body: { viewId: table.viewId, ...spot } }),
  });
  if (judge(world, 'duplicate', reply, 201))
    place(
      owner,
      reply.body.records.map(({ id }) => ({ id, fields })),
      spot,
    );
};

const move = async (owner: Owner): Promise<void> => {
  const { world, table } = owner;
  const chosen = some(owner, 4);
  const recordIds = chosen.map(({ id }) => id);
  const spot = spotBeside(owner, recordIds);
  if (spot === undefined) return;
  const reply = await lineOf(owner).call(moveRecords, {
    params: { tableId: table.id, viewId: table.viewId },
    body: { recordIds, ...spot },
  });
  if (judge(world, 'move', reply, 200)) place(owner, chosen, spot);
};

const changeField = async (owner: Owner): Promise<void> => {
  const { world, random, table, added } = owner;
  const line = lineOf(owner);
  const fieldId = added.length === 0 ? undefined : random.pick(added);
  owner.last = undefined;
  if (fieldId === undefined || (added.length < 4 && random.once(3))) {
    const made = await line.call(createField, {
      params: { tableId: table.id },
      body: { name: `Field ${world.nextCount()}`, type: 'singleLineText' },
    });
    if (judge(world, 'create a field', made, 201)) added.push(made.body.id);
    return;
  }
  const params = { tableId: table.id, fieldId };
  if (random.below(3) < 2) await reshapeField(world, line, random, params);
  else if (judge(world, 'delete a field', await line.call(deleteField, { params }), 200)) {
    // Brought back at once, it has its cells.
    if (random.once(2)) {
      judge(
        world,
        'restore a field',
        await lineOf(owner).call(restoreTrash, { params: { trashId: `tra${fieldId.slice(3)}` } }),
        201,
      );
      return;
    }
    added.splice(added.indexOf(fieldId), 1);
    owner.rows = owner.rows.map(({ id, fields: { [fieldId]: _gone, ...fields } }) => ({ id, fields }));
  }
};

/** Into the trash and out of it, or for good: then there is another. */
const throwAway = async (owner: Owner): Promise<void> => {
  const { world, random, table } = owner;
  const params = { baseId: world.stage.baseId, tableId: table.id };
  if (random.once(4)) {
    judge(world, 'delete a table', await lineOf(owner).call(deleteTable, { params }), 200);
    judge(world, 'delete a table for good', await lineOf(owner).call(deleteTablePermanently, { params }), 200);
    await newOwnTable(owner);
    return;
  }
  if (random.once(3))
    judge(
      world,
      'rename a table',
      await lineOf(owner).call(renameTable, { params, body: { name: `${owner.title} ${world.nextCount()}` } }),
      200,
    );
  judge(world, 'delete a table', await lineOf(owner).call(deleteTable, { params }), 200);
  judge(
    world,
    'read a deleted table',
    await lineOf(owner).call(createRecords, { params: { tableId: table.id }, body: { records: [{ fields: {} }] } }),
    404,
  );
  judge(
    world,
    'restore a table',
    await lineOf(owner).call(restoreTrash, { params: { trashId: `tra${table.id.slice(3)}` } }),
    201,
  );
};

export const newOwnTable = async (owner: Owner): Promise<void> => {
  const made = await newTable(lineOf(owner), owner.world.stage.baseId, owner.title);
  owner.world.requests += 1;
  const [name, count] = made.fields.map(({ id }) => id) as [string, string];
  Object.assign(owner, {
    table: { id: made.id, viewId: made.defaultViewId as string, name, count },
    added: [],
    rows: [],
    last: undefined,
  });
};

/** Is the table what it should be, to the order of its records? */
export const compareOwn = async (owner: Owner): Promise<void> => {
  const { world, table, title } = owner;
  world.requests += 1;
  const found = [...(await readRecords(lineOf(owner), table.id, table.viewId))];
  const expected = owner.rows.map(({ id, fields }): [string, Fields] => [id, fields]);
  world.failures.demand(isDeepStrictEqual(found, expected), () => {
    const at = expected.findIndex((row, index) => !isDeepStrictEqual(row, found[index]));
    return `${title} differs at ${at} of ${expected.length} (${found.length} found): ${JSON.stringify(found[at])} instead of ${JSON.stringify(expected[at])}`;
  });
};

/** One step of a client on its own table. */
export const stepOwn = (owner: Owner): Promise<void> => {
  const { random, rows } = owner;
  if (rows.length < 3) return create(owner);
  if (rows.length > most) return remove(owner);
  const dice = random.below(200);
  if (dice < 40) return create(owner);
  if (dice < 90) return update(owner);
  if (dice < 105) return takeBack(owner);
  if (dice < 125) return remove(owner);
  if (dice < 140) return duplicate(owner);
  if (dice < 175) return move(owner);
  if (dice < 182) return changeField(owner);
  return dice < 184 ? throwAway(owner) : compareOwn(owner);
};
