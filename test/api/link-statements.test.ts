// What links cost: nothing where nothing depends on a write, and two statements beside it where something does, however far it reaches. And what
// `rowhouse doctor` makes of cells that are not what follows from the others.
import { createField, type NewField } from '@rowhouse/contract/field.ts';
import { createRecords, deleteRecords, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import pg from 'pg';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { findWrongCells } from '../../server/domain/computed/check-cells.ts';
import { rowhouse } from '../support/command.ts';
import { listen } from '../support/listen.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld(
  {},
  { plans: plansWith({ free: { maxRows: 100_000_000 } }), now: () => new Date('2030-01-01T00:00:00.000Z') },
);
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

interface Made {
  tableId: string;
  dbTableName: string;
  fieldIds: Record<string, string>;
  names: Record<string, string>;
  ids: string[];
}

const makeTable = async (name: string, count = 3): Promise<Made> => {
  const made = await shop.table({
    name,
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Amount' },
    ],
    records: Array.from({ length: count }, (_, at) => ({ fields: { Name: `${name} ${at}`, Amount: at } })),
  });
  return {
    tableId: made.id,
    dbTableName: made.dbTableName.split('.').at(-1) as string,
    fieldIds: Object.fromEntries(made.fields.map((field) => [field.name, field.id])),
    names: Object.fromEntries(made.fields.map((field) => [field.name, field.dbFieldName])),
    ids: made.records.map(({ id }) => id),
  };
};

const add = async (table: Made, body: object) => {
  const made = await shop.owner.call(createField, { params: { tableId: table.tableId }, body: body as NewField });
  expect([made.status, made.error?.message]).toEqual([201, undefined]);
  table.fieldIds[made.body.name] = made.body.id;
  table.names[made.body.name] = made.body.dbFieldName;
  return made.body;
};

/** Statements of one call. Not what the server does by the side on other connections, such as noting when tokens were used. */
const statementsOnce = async (work: () => Promise<unknown>): Promise<string[]> => {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const asked = spy.mock.calls.map(([given]: unknown[], at) => ({
      text: typeof given === 'string' ? given : ((given as { text?: string }).text ?? ''),
      connection: spy.mock.contexts[at],
    }));
    const connections = new Set(
      asked.filter(({ text }) => text.includes(shop.baseId)).map(({ connection }) => connection),
    );
    return asked
      .filter(
        ({ text, connection }) =>
          text.includes(shop.baseId) || (connections.has(connection) && /begin|commit|rollback/.test(text)),
      )
      .map(({ text }) => text);
  } finally {
    spy.mockRestore();
  }
};

/** Statements have other forms on a cluster, which `cluster-form` judges. */
const expectText = async (text: string, path: string): Promise<void> => {
  if (inject('cluster') === null) await expect(text).toMatchFileSnapshot(path);
};

/** After some calls, by which everything that is remembered has been remembered. Jobs and the feed of the base may be at work beside one of them, which only adds to it: the fewest of three count. */
const statementsOf = async (
  work: () => Promise<{ status: number; error?: { message: string } }>,
): Promise<string[]> => {
  const first = await work();
  expect(first.error?.message).toBeUndefined();
  await work();
  const seen = [await statementsOnce(work), await statementsOnce(work), await statementsOnce(work)];
  return seen.toSorted((one, other) => one.length - other.length)[0] as string[];
};

const update = (table: Made, fields: (round: number) => Record<string, unknown>) => {
  let round = 0;
  return () => {
    round += 1;
    return shop.owner.call(updateRecords, {
      params: { tableId: table.tableId },
      body: { records: [{ id: table.ids[0] as string, fields: fields(round) }] },
    });
  };
};

test('a write that nothing depends on is the very statement that it was before there were links', async () => {
  const plain = await makeTable('Plain', 20);
  const calls = {
    create: () =>
      shop.owner.call(createRecords, {
        params: { tableId: plain.tableId },
        body: { records: [{ fields: { Name: 'new', Amount: 1 } }] },
      }),
    update: update(plain, (round) => ({ Amount: round })),
    delete: () =>
      shop.owner.call(deleteRecords, {
        params: { tableId: plain.tableId },
        query: { recordIds: [plain.ids.pop() as string] },
      }),
  };
  const before: Record<string, string[]> = {};
  for (const [name, call] of Object.entries(calls)) before[name] = await statementsOf(call);
  const named = (text: string): string =>
    text
      .replaceAll(shop.baseId, 'base')
      .replaceAll(plain.tableId, 'table')
      .replaceAll(plain.dbTableName, 'records')
      .replaceAll(plain.fieldIds['Name'] as string, 'field1')
      .replaceAll(plain.fieldIds['Amount'] as string, 'field2');
  for (const [name, texts] of Object.entries(before)) {
    // A deletion has a transaction, with its entry in the audit log.
    const own = name === 'delete' ? texts.filter((text) => text.includes(shop.baseId)) : texts;
    expect(own).toHaveLength(1);
    // As it was recorded before there were links.
    await expectText(`${named(own[0] as string)}\n`, `../support/statements/${name}.sql`);
  }
  // Links elsewhere in the base, and one that shows another field of this table.
  const [one, other] = [await makeTable('One'), await makeTable('Other')];
  await add(one, { type: 'link', name: 'Link', options: { relationship: 'manyMany', foreignTableId: other.tableId } });
  await add(one, {
    type: 'link',
    name: 'Shows',
    options: { relationship: 'manyOne', foreignTableId: plain.tableId, isOneWay: true },
  });
  for (const name of ['create', 'update'] as const) expect(await statementsOf(calls[name])).toEqual(before[name]);
});

test('what depends on a write takes two statements beside it, one table away and four', async () => {
  const [a, b, c, d] = [await makeTable('A'), await makeTable('B'), await makeTable('C'), await makeTable('D')];
  const chain: [Made, Made][] = [
    [a, b],
    [b, c],
    [c, d],
  ];
  let source = 'Amount';
  const counts: number[] = [];
  for (const [from, to] of chain) {
    const link = await add(to, {
      type: 'link',
      name: 'From',
      options: { relationship: 'manyOne', foreignTableId: from.tableId, isOneWay: true },
    });
    await shop.owner.call(updateRecords, {
      params: { tableId: to.tableId },
      body: { records: to.ids.map((id) => ({ id, fields: { From: { id: from.ids[0] as string } } })) },
    });
    await add(to, {
      type: 'rollup',
      name: 'Sum',
      options: { expression: 'sum({values})' },
      lookupOptions: { foreignTableId: from.tableId, linkFieldId: link.id, lookupFieldId: from.fieldIds[source] },
    });
    await add(to, { type: 'formula', name: 'Doubled', options: { expression: `{${to.fieldIds['Sum']}} * 2` } });
    source = 'Doubled';
    const texts = await statementsOf(update(a, (round) => ({ Amount: round * 1_000 + counts.length })));
    counts.push(texts.length);
    // Everything followed.
    const { body } = await shop.owner.call(listRecords, { params: { tableId: to.tableId }, query: {} });
    expect(body.records.map(({ fields }) => fields['Doubled'])).toEqual(
      Array(3).fill((5_000 + counts.length - 1) * 2 ** counts.length),
    );
  }
  // begin with the gate, lock, write, settle, commit.
  expect(counts).toEqual([5, 5, 5]);
});

/** What each of the statements does. */
const kindsOf = (texts: readonly string[]): string[] =>
  texts.map((text) =>
    text.startsWith('begin')
      ? 'begin'
      : /^(with|insert|update|delete|select|commit)/.exec(text.trimStart())?.[0] === 'with'
        ? text.includes('for no key update')
          ? 'lock'
          : text.includes('with quota')
            ? 'create'
            : text.includes('with upd')
              ? 'update'
              : 'settle'
        : (/^\w+/.exec(text.trimStart())?.[0] as string),
  );

test('new records are written once, with their keys, link cells and what is looked up; only what others show of them is settled behind it', async () => {
  const [parents, children] = [await makeTable('Parents'), await makeTable('Children')];
  const names: [string, string][] = [];
  const addNamed = async (table: Made, body: { name: string }) => {
    const made = await add(table, body);
    names.push([made.id, `field ${body.name}`]);
    return made;
  };
  const link = await addNamed(children, {
    type: 'link',
    name: 'Of',
    options: { relationship: 'manyOne', foreignTableId: parents.tableId, isOneWay: true },
  } as never);
  const through = (from: { id: string }, name: string) => ({
    isLookup: true,
    lookupOptions: { foreignTableId: parents.tableId, linkFieldId: from.id, lookupFieldId: parents.fieldIds[name] },
  });
  await addNamed(children, { name: 'Seen', type: 'number', ...through(link, 'Amount') } as never);
  await addNamed(children, {
    name: 'Told',
    type: 'formula',
    options: { expression: `{${link.id}} & {${children.fieldIds['Seen']}}` },
  } as never);
  const create = (fields: (at: number) => object) => () =>
    shop.owner.call(createRecords, {
      params: { tableId: children.tableId },
      body: { records: [0, 1].map((at) => ({ fields: { Name: `new ${at}`, ...fields(at) } })) as never },
    });
  const one = { id: parents.ids[1] as string };
  const linked = await statementsOf(create(() => ({ Of: one })));
  expect(kindsOf(linked)).toEqual(['begin', 'lock', 'create', 'commit']);
  const named = (text: string): string =>
    [
      [shop.baseId, 'base'],
      [children.tableId, 'table'],
      [children.dbTableName, 'records'],
      [parents.tableId, 'parent table'],
      [parents.dbTableName, 'parents'],
      ...names,
    ].reduce((told, [from, by]) => told.replaceAll(from as string, by as string), text);
  await expectText(`${named(linked[2] as string)}\n`, '../support/statements/create-linked.sql');
  // The answer is theirs, too.
  const { body } = await create((at) => (at === 0 ? { Of: one } : {}))();
  expect(body.records.map(({ fields }) => fields)).toEqual(
    [
      { Name: 'new 0', Of: { ...one, title: 'Parents 1' }, Seen: 1, Told: 'Parents 11' },
      { Name: 'new 1', Told: '' },
    ].map(({ Told, ...rest }) => (Told === '' ? rest : { ...rest, Told })),
  );
  // What others show of them: of the other end, and of what is computed from it.
  const both = await addNamed(children, {
    type: 'link',
    name: 'Both',
    options: { relationship: 'manyOne', foreignTableId: parents.tableId },
  } as never);
  await add(parents, {
    type: 'count',
    name: 'Count',
    lookupOptions: { foreignTableId: children.tableId, linkFieldId: both.options.symmetricFieldId },
  });
  const settled = await statementsOf(create(() => ({ Both: one })));
  expect(kindsOf(settled)).toEqual(['begin', 'lock', 'create', 'settle', 'commit']);
  expect(settled[3]).not.toContain(`update "${shop.baseId}"."${children.dbTableName}"`);
  // Keys that are not beside them.
  const pairs = await addNamed(children, {
    type: 'link',
    name: 'Pairs',
    options: { relationship: 'manyMany', foreignTableId: parents.tableId, isOneWay: true },
  } as never);
  await addNamed(children, { name: 'Seen by pairs', type: 'number', ...through(pairs, 'Amount') } as never);
  expect(kindsOf(await statementsOf(create(() => ({ Pairs: [one, { id: parents.ids[2] as string }] }))))).toEqual([
    'begin',
    'lock',
    'create',
    'insert',
    'commit',
  ]);
  const several = await create(() => ({ Of: one, Both: one, Pairs: [{ id: parents.ids[2] as string }, one] }))();
  expect(several.body.records[0]?.fields).toMatchObject({
    Pairs: [{ title: 'Parents 2' }, { title: 'Parents 1' }],
    'Seen by pairs': [2, 1],
    Both: { title: 'Parents 1' },
    Told: 'Parents 11',
  });
  // Of lists, the items of all of them.
  await add(parents, {
    type: 'multipleSelect',
    name: 'Tags',
    options: { choices: [{ name: 'red' }, { name: 'blue' }] },
  });
  await shop.owner.call(updateRecords, {
    params: { tableId: parents.tableId },
    body: { records: [{ id: one.id, fields: { Tags: ['blue', 'red'] } }] },
  });
  await addNamed(children, { name: 'Seen tags', type: 'multipleSelect', ...through(pairs, 'Tags') } as never);
  await addNamed(children, {
    name: 'Joined',
    type: 'rollup',
    options: { expression: 'array_join({values})' },
    lookupOptions: { foreignTableId: parents.tableId, linkFieldId: link.id, lookupFieldId: parents.fieldIds['Tags'] },
  } as never);
  const last = await create(() => ({ Of: one, Both: one, Pairs: [{ id: parents.ids[2] as string }, one] }))();
  expect(last.body.records[0]?.fields).toMatchObject({ 'Seen tags': ['blue', 'red'], Joined: 'blue, red' });
  // As they are read afterwards.
  const { body: read } = await shop.owner.call(listRecords, {
    params: { tableId: children.tableId },
    query: { take: 100 },
  });
  expect(read.records.slice(-2).map(({ id, fields }) => [id, fields])).toEqual(
    last.body.records.map(({ id, fields }) => [id, fields]),
  );
  expect(await findWrongCells(world().db, shop.baseId)).toEqual([]);
});

test('a link to one record is written with the record that has it, once, and is in its history', async () => {
  const [parents, children] = [await makeTable('Owners'), await makeTable('Owned')];
  const link = await add(children, {
    type: 'link',
    name: 'Of',
    options: { relationship: 'manyOne', foreignTableId: parents.tableId, isOneWay: true },
  });
  await add(children, {
    name: 'Seen',
    type: 'number',
    isLookup: true,
    lookupOptions: { foreignTableId: parents.tableId, linkFieldId: link.id, lookupFieldId: parents.fieldIds['Amount'] },
  });
  await add(children, {
    name: 'Told',
    type: 'formula',
    options: { expression: `{${link.id}} & {${children.fieldIds['Seen']}} & {${children.fieldIds['Amount']}}` },
  });
  const to = (at: number) => ({ Of: { id: parents.ids[at % 3] as string } });
  expect(kindsOf(await statementsOf(update(children, to)))).toEqual(['begin', 'lock', 'select', 'update', 'commit']);
  const write = async (fields: object) =>
    (
      await shop.owner.call(updateRecords, {
        params: { tableId: children.tableId },
        body: { records: [{ id: children.ids[1] as string, fields: fields as never }] },
      })
    ).body as unknown as { fields: Record<string, unknown> }[];
  expect((await write({ ...to(1), Amount: 7 }))[0]?.fields).toEqual({
    Name: 'Owned 1',
    Amount: 7,
    Of: { id: parents.ids[1], title: 'Owners 1' },
    Seen: 1,
    Told: 'Owners 117',
  });
  expect((await write(to(2)))[0]?.fields).toEqual({
    Name: 'Owned 1',
    Amount: 7,
    Of: { id: parents.ids[2], title: 'Owners 2' },
    Seen: 2,
    Told: 'Owners 227',
  });
  // The same again is no change.
  await write(to(2));
  expect((await write({ Of: null }))[0]?.fields).toEqual({ Name: 'Owned 1', Amount: 7, Told: '7' });
  const entries = await world().db.query<{ before: string | null; after: string | null }>(
    sql`select before, after from ${sql.id(shop.baseId, `__history_${children.tableId}`)} where record_id = ${children.ids[1]} and coalesce(before, after) like '%title%' order by op_id`,
  );
  const titleOf = (cell: string | null): unknown =>
    cell === null ? null : (JSON.parse(cell) as { title: string }).title;
  expect(entries.map(({ before, after }) => [titleOf(before), titleOf(after)])).toEqual([
    [null, 'Owners 1'],
    ['Owners 1', 'Owners 2'],
    ['Owners 2', null],
  ]);
  // With another side, which is settled behind it: the place at the end of its list, or the one that it had.
  const both = await add(children, {
    type: 'link',
    name: 'Both',
    options: { relationship: 'manyOne', foreignTableId: parents.tableId },
  });
  for (const at of [0, 1, 2, 0])
    await shop.owner.call(updateRecords, {
      params: { tableId: children.tableId },
      body: { records: [{ id: children.ids[at] as string, fields: { Both: { id: parents.ids[0] as string } } }] },
    });
  const listed = async (): Promise<unknown[]> =>
    (
      await shop.owner.call(listRecords, { params: { tableId: parents.tableId }, query: { fieldKeyType: 'id' } })
    ).body.records.map(({ fields }) =>
      ((fields[both.options.symmetricFieldId as string] ?? []) as { title: string }[]).map(({ title }) => title),
    );
  expect(await listed()).toEqual([['Owned 0', 'Owned 1', 'Owned 2'], [], []]);
  expect(
    kindsOf(await statementsOf(update(children, (round) => ({ Both: { id: parents.ids[round % 2] as string } })))),
  ).toEqual(['begin', 'lock', 'select', 'update', 'settle', 'commit']);
  expect((await listed()).flat().toSorted()).toEqual(['Owned 0', 'Owned 1', 'Owned 2']);
  // Several records that name other fields each are written as before.
  expect(
    (
      await shop.owner.call(updateRecords, {
        params: { tableId: children.tableId },
        body: {
          records: [
            { id: children.ids[0] as string, fields: to(0) },
            { id: children.ids[1] as string, fields: { Amount: 3 } },
          ],
        },
      })
    ).status,
  ).toBe(200);
  expect(await findWrongCells(world().db, shop.baseId)).toEqual([]);
});

test('updates of one caller that come at once share a transaction, and each has its own operation', async () => {
  const [projects, tasks] = [await makeTable('Shared', 2), await makeTable('Many', 16)];
  const link = await add(tasks, {
    type: 'link',
    name: 'Project',
    options: { relationship: 'manyOne', foreignTableId: projects.tableId },
  });
  await shop.owner.call(updateRecords, {
    params: { tableId: tasks.tableId },
    body: { records: tasks.ids.map((id, at) => ({ id, fields: { Project: { id: projects.ids[at % 2] as string } } })) },
  });
  await add(projects, {
    type: 'rollup',
    name: 'Sum',
    options: { expression: 'sum({values})' },
    lookupOptions: {
      foreignTableId: tasks.tableId,
      linkFieldId: link.options.symmetricFieldId,
      lookupFieldId: tasks.fieldIds['Amount'],
    },
  });
  await add(tasks, {
    type: 'rollup',
    isLookup: true,
    name: 'Of all',
    lookupOptions: { foreignTableId: projects.tableId, linkFieldId: link.id, lookupFieldId: projects.fieldIds['Sum'] },
  });
  const write = (id: string, amount: unknown) =>
    shop.owner.call(updateRecords, {
      params: { tableId: tasks.tableId },
      body: { records: [{ id, fields: { Amount: amount as number } }] },
    });
  const changeAll = (by: number) => Promise.all(tasks.ids.map((id, at) => write(id, at + by)));
  await changeAll(100);
  const ear = await listen(`${world().baseUrl}/table/${projects.tableId}/events`, { token: shop.owner.token });
  const begun = vi.spyOn(pg.Client.prototype, 'query');
  const answers = await changeAll(1_000);
  const transactions = begun.mock.calls.filter(
    ([given]) => typeof given === 'string' && given.startsWith('begin'),
  ).length;
  begun.mockRestore();
  expect(transactions).toBeLessThan(8);
  expect(
    answers.map(({ status, body }) => [
      status,
      (body as unknown as { fields: { Amount: number } }[])[0]?.fields.Amount,
    ]),
  ).toEqual(tasks.ids.map((_, at) => [200, 1_000 + at]));
  const operations = answers.map(({ headers }) => headers.get('x-operation-id'));
  expect(new Set(operations).size).toBe(16);
  // What follows from several of them names them all.
  const causes = (): string[] =>
    ear.heard.flatMap(({ name, data }) => (name === 'records.updated' ? (data.causes ?? [data.cause]) : []));
  await ear.until(() => operations.every((id) => causes().includes(id as string)));
  expect(ear.heard.some(({ data }) => data.causes?.length > 1)).toBe(true);
  ear.close();
  const { body } = await shop.owner.call(listRecords, { params: { tableId: tasks.tableId }, query: {} });
  const sums = [0, 1].map((half) => tasks.ids.reduce((sum, _, at) => sum + (at % 2 === half ? 1_000 + at : 0), 0));
  expect(body.records.map(({ fields }) => fields['Of all'])).toEqual(tasks.ids.map((_, at) => sums[at % 2]));
  // One that cannot be written does not take the others along.
  const mixed = await Promise.all([...tasks.ids.map((id, at) => write(id, at)), write('recNobody', 1)]);
  expect(mixed.map(({ status }) => status)).toEqual([...tasks.ids.map(() => 200), 404]);
  const histories = await world().db.query<{ count: number }>(
    sql`select count(*)::int as count from ${sql.id(shop.baseId, '__operation')} o join ${sql.id(shop.baseId, `__history_${tasks.tableId}`)} h on h.op_id = o.id where o.public_id = any(${operations}::text[])`,
  );
  expect(histories[0]?.count).toBe(16);
});

test('rowhouse doctor finds a spoiled cell of each kind, and mends it with --repair', async () => {
  const [projects, tasks] = [await makeTable('Projects'), await makeTable('Tasks')];
  const link = await add(tasks, {
    type: 'link',
    name: 'Project',
    options: { relationship: 'manyOne', foreignTableId: projects.tableId },
  });
  const back = { foreignTableId: tasks.tableId, linkFieldId: link.options.symmetricFieldId };
  await shop.owner.call(updateRecords, {
    params: { tableId: tasks.tableId },
    body: { records: tasks.ids.map((id) => ({ id, fields: { Project: { id: projects.ids[0] as string } } })) },
  });
  await add(projects, {
    type: 'rollup',
    name: 'Sum',
    options: { expression: 'sum({values})' },
    lookupOptions: { ...back, lookupFieldId: tasks.fieldIds['Amount'] },
  });
  await add(projects, { type: 'count', name: 'Count', lookupOptions: back });
  await add(projects, {
    type: 'singleLineText',
    isLookup: true,
    name: 'Names',
    lookupOptions: { ...back, lookupFieldId: tasks.fieldIds['Name'] },
  });
  await add(projects, { type: 'formula', name: 'Half', options: { expression: `{${projects.fieldIds['Sum']}} / 2` } });
  const alone = await makeTable('Alone');
  await add(alone, { type: 'formula', name: 'Twice', options: { expression: `{${alone.fieldIds['Amount']}} * 2` } });
  const before = (
    await shop.owner.call(listRecords, { params: { tableId: projects.tableId }, query: {} })
  ).body.records.map(({ fields }) => fields);
  const spoilt: [Made, string, string][] = [
    [projects, 'Sum', '99'],
    [projects, 'Count', '99'],
    [projects, 'Names', `'["wrong"]'`],
    [projects, 'Half', '99'],
    [tasks, 'Project', `'{"id":"recX"}'`],
    [alone, 'Twice', '99'],
  ];
  const doctor = (...args: string[]) => rowhouse(world().databaseUrl, 'doctor', ...args);
  expect((await doctor()).out).toContain('every computed cell is what follows');
  const spoil = async ([table, name, value]: [Made, string, string]): Promise<void> => {
    await world().db.query(
      sql`update ${sql.id(shop.baseId, table.dbTableName)} set ${sql.id(table.names[name] as string)} = ${value.replaceAll("'", '')} where __id = ${table.ids[0]}`,
    );
  };
  for (const each of spoilt) {
    await spoil(each);
    const { code, out } = await doctor();
    expect([each[1], code, out]).toEqual([each[1], 1, expect.stringContaining(`of "${each[1]}" in table`)]);
    expect((await doctor('--repair')).out).toContain('corrected');
    expect((await doctor()).out).toContain('every computed cell is what follows');
  }
  // A key that leads to nobody.
  await world().db.query(
    sql`update ${sql.id(shop.baseId, tasks.dbTableName)} set ${sql.id(`__fk_${link.id}`)} = 'recNobody' where __id = ${tasks.ids[2]}`,
  );
  expect((await doctor('--repair')).out).toContain('"Project" in table "Tasks"');
  expect((await doctor()).out).toContain('every computed cell is what follows');
  const now = (
    await shop.owner.call(listRecords, { params: { tableId: projects.tableId }, query: {} })
  ).body.records.map(({ fields }) => fields);
  expect(now[0]).toMatchObject({ Sum: 1, Count: 2, Half: 0.5, Names: ['Tasks 0', 'Tasks 1'] });
  expect(now.slice(1)).toEqual(before.slice(1));
});
