// Rules on writing: conditions on the record before and after, by field, judged in the statement that writes. What a model in plain TypeScript takes is taken, what
// it refuses is refused with the same records named, and nothing is written by half. The rights are given by hand.
import { createComment } from '@rowhouse/contract/comment.ts';
import { createField } from '@rowhouse/contract/field.ts';
import {
  createRecords,
  deleteRecords,
  duplicateRecord,
  listRecords,
  updateRecords,
  upsertRecords,
} from '@rowhouse/contract/record.ts';
import { deleteSelection, pasteIntoRanges } from '@rowhouse/contract/selection.ts';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Random, randomFrom } from '../../proof/random.ts';
import type { RecordCondition } from '../../server/catalog/condition.ts';
import type { Grant } from '../../server/catalog/bound.ts';
import { boundRights } from '../../server/domain/computed/bound-rights.ts';
import { howMany } from '../support/cases.ts';
import { whileChanged } from '../support/lock.ts';
import { type Restricted, restricted } from '../support/restricted.ts';
import { seed } from '../support/seed.ts';
import { holdsFor } from '../../proof/rights/model.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { countWaiting } from '../support/waiting.sql.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;

interface Told {
  recordIds?: string[];
  indexes?: number[];
  memos?: string[];
  cells?: { recordId: string; field: string }[];
}
interface Row {
  id: string;
  fields: Record<string, unknown>;
}

const must = <T>({ status, body, error }: { status: number; body: T; error: unknown }): T => {
  if (status >= 400) throw new Error(JSON.stringify(error));
  return body;
};

beforeAll(async () => {
  shop = await openWorkshop(world());
});

/** A table with these fields and records, and what is needed to look at it by field id. */
const stage = async (records: object[]) => {
  const table = await shop.table({
    name: `Orders ${Math.random()}`,
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'State', type: 'singleLineText' },
      { name: 'Amount', type: 'number' },
      { name: 'Secret', type: 'singleLineText' },
    ] as never,
    records: records.map((fields) => ({ fields })) as never,
  });
  const id = Object.fromEntries(table.fields.map((field) => [field.name, field.id])) as Record<string, string>;
  const double = must(
    await shop.owner.call(createField, {
      params: { tableId: table.id },
      body: { name: 'Double', type: 'formula', options: { expression: `{${id['Amount']}} * 2` } } as never,
    }),
  );
  id['Double'] = double.id;
  const rows = async (): Promise<Row[]> =>
    must(
      await shop.owner.call(listRecords, {
        params: { tableId: table.id },
        query: { fieldKeyType: 'id', take: 1_000 },
      }),
    ).records as never;
  const as = (grants: readonly Grant[]): Promise<Restricted> =>
    restricted(
      world(),
      shop.owner.token,
      table.id,
      boundRights((tableId) => (tableId === table.id ? grants : []), `rules ${Math.random()}`),
    );
  return { tableId: table.id, params: { tableId: table.id }, id, rows, as };
};

type Stage = Awaited<ReturnType<typeof stage>>;

const when = (fieldId: string | undefined, operator: string, value: unknown): RecordCondition =>
  ({ filter: { conjunction: 'and', filterSet: [{ fieldId, operator, value }] } }) as RecordCondition;

const all = new Set([
  'record|read',
  'record|create',
  'record|update',
  'record|delete',
  'record|comment',
  'record|copy',
]);
const only = (...actions: string[]) => new Set(actions.map((action) => `record|${action}`));

const told = ({ text }: { text: string }): Told => (JSON.parse(text) as { data: Told }).data;

describe('an update', () => {
  test('is judged by the record before: all or nothing, every record named, with memos', async () => {
    const { as, params, id, rows } = await stage([
      { Name: 'a', State: 'mine', Amount: 1 },
      { Name: 'b', State: 'theirs', Amount: 2 },
      { Name: 'c', State: 'theirs', Amount: 3 },
    ]);
    const caller = await as([
      { fields: null, when: true, actions: only('read') },
      { fields: null, when: when(id['State'], 'is', 'mine'), actions: only('update'), memo: 'Only your own orders' },
    ]);
    const [a, b, c] = (await rows()).map((row) => row.id) as [string, string, string];
    const before = await rows();
    const update = (records: object[]) => caller.call(updateRecords, { params, body: { records } as never });
    const refused = await update([
      { id: a, fields: { Amount: 9 } },
      { id: b, fields: { Amount: 9 } },
      { id: c, fields: { Amount: 9, Name: 'x' } },
    ]);
    expect(refused.status).toBe(403);
    expect(told(refused)).toMatchObject({
      recordIds: [b, c],
      memos: ['Only your own orders'],
      cells: expect.arrayContaining([
        { recordId: b, field: 'Amount' },
        { recordId: c, field: 'Amount' },
        { recordId: c, field: 'Name' },
      ]) as never,
    });
    expect(told(refused).cells).toHaveLength(3);
    expect(await rows()).toEqual(before);
    expect((await update([{ id: a, fields: { Amount: 9 } }])).status).toBe(200);
    // Handing over is work: without a condition on the record afterwards it may leave.
    expect((await update([{ id: a, fields: { State: 'theirs' } }])).status).toBe(200);
    expect((await update([{ id: a, fields: { Amount: 1 } }])).status).toBe(403);
  });

  test('is judged by the record after, formulas included, and two grants that hold in part do not make one', async () => {
    const { as, params, id, rows } = await stage([
      { Name: 'a', State: 'draft', Amount: 1 },
      { Name: 'b', State: 'ready', Amount: 2 },
    ]);
    const caller = await as([
      { fields: null, when: true, actions: only('read') },
      {
        fields: null,
        when: when(id['State'], 'is', 'draft'),
        after: when(id['Double'], 'isLess', 20),
        actions: only('update'),
        memo: 'Drafts are small',
      },
      { fields: null, when: when(id['State'], 'is', 'ready'), actions: only('update') },
    ]);
    const [a, b] = (await rows()).map((row) => row.id) as [string, string];
    const update = (records: object[]) => caller.call(updateRecords, { params, body: { records } as never });
    const refused = await update([
      { id: a, fields: { Amount: 10 } },
      { id: b, fields: { Amount: 10 } },
    ]);
    expect([refused.status, told(refused)]).toEqual([
      403,
      expect.objectContaining({ recordIds: [a], memos: ['Drafts are small'] }),
    ]);
    expect((await update([{ id: b, fields: { Amount: 10 } }])).status).toBe(200);
    // To be ready afterwards is not to have been ready before.
    expect((await update([{ id: a, fields: { Amount: 10, State: 'ready' } }])).status).toBe(403);
    expect((await update([{ id: a, fields: { Amount: 9, State: 'ready' } }])).status).toBe(200);
  });

  test('names fields that are not seen as unknown, and fields that are seen and not to be written as refused', async () => {
    const { as, params, id, rows } = await stage([{ Name: 'a', Amount: 1, Secret: 's' }]);
    const caller = await as([
      { fields: new Set([id['Name'] as string, id['Amount'] as string]), when: true, actions: only('read') },
      { fields: new Set([id['Name'] as string, id['Secret'] as string]), when: true, actions: only('update') },
    ]);
    const [a] = (await rows()).map((row) => row.id) as [string];
    const update = (fields: object) =>
      caller.call(updateRecords, { params, body: { records: [{ id: a, fields }] } as never });
    // Updating needs reading.
    expect((await update({ Secret: 'x' })).status).toBe(404);
    const refused = await update({ Name: 'x', Amount: 2 });
    expect([refused.status, told(refused).cells]).toEqual([403, [{ recordId: a, field: 'Amount' }]]);
    expect((await update({ Name: 'x' })).status).toBe(200);
    // As it is now it is no change.
    expect((await update({ Name: 'y', Amount: 1 })).status).toBe(200);
    const { permissions } = (JSON.parse((await update({ Name: 'z' })).text) as { permissions: object }[])[0] as never;
    expect(permissions).toEqual({
      Name: { read: true, update: true },
      Amount: { read: true, update: false },
    });
  });
});

describe('a create', () => {
  test('has to meet the condition, which fills in what it pins', async () => {
    const { as, params, id, rows } = await stage([]);
    const caller = await as([
      {
        fields: new Set([id['Name'] as string, id['Amount'] as string]),
        when: when(id['State'], 'is', 'mine'),
        actions: all,
        memo: 'Orders of your own',
      },
    ]);
    const create = (records: object[]) => caller.call(createRecords, { params, body: { records } as never });
    const made = await create([{ fields: { Name: 'x' } }]);
    expect([made.status, (await rows()).map(({ fields }) => fields[id['State'] as string])]).toEqual([201, ['mine']]);
    // Not to be named, since the field is neither seen nor to be filled in.
    expect((await create([{ fields: { State: 'theirs' } }])).status).toBe(404);
    const large = await as([
      { fields: null, when: true, actions: only('read') },
      { fields: null, when: when(id['Amount'], 'isLess', 10), actions: only('create'), memo: 'Small ones' },
    ]);
    const refused = await large.call(createRecords, {
      params,
      body: { records: [{ fields: { Amount: 1 } }, { fields: { Amount: 10 } }, { fields: {} }] },
    });
    expect([refused.status, told(refused)]).toEqual([
      403,
      expect.objectContaining({ indexes: [1, 2], memos: ['Small ones'] }),
    ]);
    expect(await rows()).toHaveLength(1);
    expect((await large.call(createRecords, { params, body: { records: [{ fields: { Amount: 1 } }] } })).status).toBe(
      201,
    );
  });

  test('is refused by a condition that no longer fits its field, which fills in nothing', async () => {
    const { as, params, id, rows } = await stage([]);
    // As it is left when a text field becomes a date.
    const day = must(await shop.owner.call(createField, { params, body: { name: 'Day', type: 'date' } as never }));
    const caller = await as([
      { fields: new Set([id['Name'] as string]), when: when(day.id, 'is', 'mine'), actions: all, memo: 'Your own' },
    ]);
    const made = await caller.call(createRecords, { params, body: { records: [{ fields: { Name: 'x' } }] } });
    expect([made.status, told(made)]).toEqual([403, expect.objectContaining({ indexes: [0], memos: ['Your own'] })]);
    expect(await rows()).toEqual([]);
  });

  test('may name fields that only a grant to create names, and no others', async () => {
    const { as, params, id, rows } = await stage([]);
    const caller = await as([
      { fields: new Set([id['Name'] as string, id['Amount'] as string]), when: true, actions: only('read') },
      { fields: new Set([id['Name'] as string, id['Secret'] as string]), when: true, actions: only('create') },
    ]);
    const create = (fields: object) => caller.call(createRecords, { params, body: { records: [{ fields }] } as never });
    const made = await create({ Name: 'x', Secret: 'told once' });
    expect([made.status, made.text.includes('told once')]).toEqual([201, false]);
    expect((await rows())[0]?.fields[id['Secret'] as string]).toBe('told once');
    expect((await create({ Name: 'x', Amount: 1 })).status).toBe(403);
    expect((await create({ Name: 'x', State: 'y' })).status).toBe(404);
    expect(await rows()).toHaveLength(1);
  });

  test('by copying takes what is seen and may be filled in', async () => {
    const { as, params, id, rows } = await stage([
      { Name: 'a', Amount: 1, Secret: 'hush' },
      { Name: 'b', Amount: 20, Secret: 'hush' },
    ]);
    const [a, b] = (await rows()).map((row) => row.id) as [string, string];
    const caller = await as([
      {
        fields: new Set(['Name', 'Amount'].map((name) => id[name] as string)),
        when: true,
        actions: only('read', 'create'),
      },
      { fields: null, when: when(id['Amount'], 'isLess', 10), actions: only('copy') },
    ]);
    const copy = (recordId: string) => caller.call(duplicateRecord, { params: { ...params, recordId } });
    expect([(await copy(a)).status, (await copy(b)).status]).toEqual([201, 403]);
    const [, , made] = await rows();
    expect([made?.fields[id['Amount'] as string], made?.fields[id['Secret'] as string]]).toEqual([1, undefined]);
  });
});

test('deleting and commenting need a grant that holds; records that are not seen are not there', async () => {
  const { as, params, id, rows } = await stage([
    { Name: 'a', State: 'mine' },
    { Name: 'b', State: 'theirs' },
    { Name: 'c', State: 'hidden' },
  ]);
  const [a, b, c] = (await rows()).map((row) => row.id) as [string, string, string];
  const mine = when(id['State'], 'is', 'mine');
  const caller = await as([
    { fields: null, when: when(id['State'], 'isNot', 'hidden'), actions: only('read') },
    { fields: null, when: mine, actions: only('delete', 'comment'), memo: 'Your own' },
  ]);
  const remove = (recordIds: string[]) => caller.call(deleteRecords, { params, query: { recordIds } as never });
  const refused = await remove([a, b]);
  expect([refused.status, told(refused)]).toEqual([
    403,
    expect.objectContaining({ recordIds: [b], memos: ['Your own'] }),
  ]);
  expect((await remove([c])).status).toBe(404);
  const selected = await caller.call(deleteSelection, { params, body: { selection: {} } as never });
  expect([selected.status, told(selected).recordIds]).toEqual([403, [b]]);
  expect(await rows()).toHaveLength(3);
  const comment = (recordId: string) =>
    caller.call(createComment, {
      params: { ...params, recordId },
      body: { content: [{ type: 'p', children: [{ type: 'span', value: 'hello' }] }] } as never,
    });
  expect([(await comment(a)).status, (await comment(b)).status, (await comment(c)).status]).toEqual([201, 403, 404]);
  expect((await remove([a])).status).toBe(200);
  expect(await rows()).toHaveLength(2);
});

test('an upsert and a paste are updates and creates like any other', async () => {
  const { as, params, id, rows } = await stage([
    { Name: 'a', State: 'mine' },
    { Name: 'b', State: 'theirs' },
  ]);
  const caller = await as([
    { fields: null, when: true, actions: only('read') },
    { fields: null, when: when(id['State'], 'is', 'mine'), actions: only('update', 'create') },
  ]);
  const upsert = (records: object[]) =>
    caller.call(upsertRecords, { params, body: { matchFields: ['Name'], records } as never });
  const before = await rows();
  expect((await upsert([{ fields: { Name: 'a', Amount: 1 } }, { fields: { Name: 'b', Amount: 1 } }])).status).toBe(403);
  expect((await upsert([{ fields: { Name: 'a', Amount: 1 } }, { fields: { Name: 'n', State: 'other' } }])).status).toBe(
    403,
  );
  expect(await rows()).toEqual(before);
  expect((await upsert([{ fields: { Name: 'a', Amount: 1 } }, { fields: { Name: 'n' } }])).status).toBe(200);
  const paste = (content: string, row: number) =>
    caller.call(pasteIntoRanges, {
      params,
      body: {
        ranges: [
          [0, row],
          [0, row],
        ],
        content,
      } as never,
    });
  expect((await paste('x', 1)).status).toBe(403);
  expect((await paste('x', 0)).status).toBe(200);
});

describe('somebody is faster', () => {
  /** It leaves what they may write, or see, while they wait for it. */
  const race = async (left: 'read' | 'update') => {
    const { as, params, id, rows } = await stage([{ Name: 'a', State: 'mine' }]);
    const mine = when(id['State'], 'is', 'mine');
    const caller = await as([
      { fields: null, when: left === 'read' ? mine : true, actions: only('read') },
      { fields: null, when: mine, actions: only('update', 'delete') },
    ]);
    const [a] = (await rows()).map((row) => row.id) as [string];
    const { db } = world();
    let update: ReturnType<typeof caller.call> | undefined;
    const change = { tableId: params.tableId, recordId: a, fieldId: id['State'] as string, value: 'theirs' };
    await whileChanged(world(), change, async () => {
      update = caller.call(updateRecords, { params, body: { records: [{ id: a, fields: { Name: 'x' } }] } as never });
      while ((await countWaiting(db)) === 0) await setTimeout(10);
    });
    return { status: (await update)?.status, name: (await rows())[0]?.fields[id['Name'] as string] };
  };

  test('and the record is not theirs to write any more: nothing is written', async () => {
    expect(await race('update')).toEqual({ status: 403, name: 'a' });
  });

  test('and the record has left what they see: it is not there, and nothing is written', async () => {
    expect(await race('read')).toEqual({ status: 404, name: 'a' });
  });
});

/** One to four grants with conditions before and after. */
const drawGrants = (random: Random, { id }: Stage): Grant[] => {
  const fields = ['Name', 'State', 'Amount', 'Secret'].map((name) => id[name] as string);
  const condition = (): RecordCondition =>
    random.once(3)
      ? true
      : random.once(3)
        ? { any: [when(id['Amount'], 'isGreater', random.below(5)), when(id['State'], 'is', random.pick(['x', 'y']))] }
        : random.pick([
            when(id['State'], 'is', random.pick(['x', 'y', 'z'])),
            when(id['State'], 'isNot', random.pick(['x', 'y'])),
            when(id['Double'], 'isGreater', random.below(10)),
            when(id['Amount'], 'isEmpty', null),
            when(id['Secret'], 'isNotEmpty', null),
          ]);
  return Array.from({ length: 1 + random.below(4) }, () => ({
    fields: random.once(2) ? null : new Set(fields.filter(() => !random.once(3))),
    when: condition(),
    actions: only(...['read', 'create', 'update', 'delete'].filter(() => !random.once(3))),
    ...(random.once(2) ? {} : { after: condition() }),
  }));
};

interface Verdict {
  status: number;
  named: string[];
  after: Row[];
}

/** What the rules say of an update, by hand. */
const judge = (
  grants: readonly Grant[],
  rows: readonly Row[],
  requested: readonly Row[],
  compute: (fields: Row['fields']) => Row['fields'],
): Verdict => {
  const names = (grant: Grant, fieldId: string) => grant.fields?.has(fieldId) ?? true;
  const does = (grant: Grant, action: string) => grant.actions?.has(`record|${action}`) === true;
  const reading = grants.filter((grant) => does(grant, 'read'));
  const refused = (status: number, named: string[]): Verdict => ({ status, named, after: [...rows] });
  const old = new Map(rows.map((row) => [row.id, row]));
  const updating = grants.filter((grant) => does(grant, 'update'));
  // A cell of a field that nobody lets them write, as they see it, is no change.
  const seenCell = (row: Row, fieldId: string): unknown =>
    reading.some((grant) => names(grant, fieldId) && holdsFor(row, grant.when)) ? (row.fields[fieldId] ?? null) : null;
  const isSeen = (row: Row): boolean => reading.some((grant) => holdsFor(row, grant.when));
  const asked = requested.map(({ id, fields }) => ({
    id,
    fields: Object.fromEntries(
      Object.entries(fields).filter(
        ([fieldId, value]) =>
          updating.some((grant) => names(grant, fieldId)) ||
          !reading.some((grant) => names(grant, fieldId)) ||
          !isSeen(old.get(id) as Row) ||
          seenCell(old.get(id) as Row, fieldId) !== value,
      ),
    ),
  }));
  const written = new Set(asked.flatMap(({ fields }) => Object.keys(fields)));
  if ([...written].some((fieldId) => !reading.some((grant) => names(grant, fieldId)))) return refused(404, []);
  const unseen = asked.filter(({ id }) => !reading.some((grant) => holdsFor(old.get(id) as Row, grant.when)));
  if (unseen.length > 0)
    return refused(
      404,
      unseen.map(({ id }) => id),
    );
  const hidden = asked.filter(({ id, fields }) =>
    Object.keys(fields).some(
      (fieldId) => !reading.some((grant) => names(grant, fieldId) && holdsFor(old.get(id) as Row, grant.when)),
    ),
  );
  if (hidden.length > 0)
    return refused(
      403,
      hidden.map(({ id }) => id),
    );
  const before = asked.filter(({ id, fields }) =>
    Object.keys(fields).some(
      (fieldId) => !updating.some((grant) => names(grant, fieldId) && holdsFor(old.get(id) as Row, grant.when)),
    ),
  );
  if (before.length > 0)
    return refused(
      403,
      before.map(({ id }) => id),
    );
  const now = rows.map((row) => {
    const change = asked.find(({ id }) => id === row.id);
    return change === undefined ? row : { id: row.id, fields: compute({ ...row.fields, ...change.fields }) };
  });
  const after = asked.filter(({ id, fields }) =>
    Object.keys(fields).some(
      (fieldId) =>
        !updating.some(
          (grant) =>
            names(grant, fieldId) &&
            holdsFor(old.get(id) as Row, grant.when) &&
            holdsFor(now.find((row) => row.id === id) as Row, grant.after ?? true),
        ),
    ),
  );
  if (after.length > 0)
    return refused(
      403,
      after.map(({ id }) => id),
    );
  return { status: 200, named: [], after: now };
};

test('each drawn update is taken exactly if the model takes it, and the refusal names the same records', {
  timeout: 600_000,
}, async () => {
  const random = randomFrom(seed).fork(38);
  const it = await stage(
    Array.from({ length: 8 }, (_, at) => ({
      Name: `r${at}`,
      State: ['x', 'y', 'z'][at % 3],
      ...(at % 4 === 0 ? {} : { Amount: at % 6 }),
      ...(at % 2 === 0 ? {} : { Secret: 's' }),
    })),
  );
  const { id, params, rows } = it;
  const compute = (fields: Row['fields']): Row['fields'] => {
    const made = Object.fromEntries(Object.entries(fields).filter(([, cell]) => cell !== null && cell !== undefined));
    const amount = made[id['Amount'] as string] as number | undefined;
    delete made[id['Double'] as string];
    return amount === undefined ? made : { ...made, [id['Double'] as string]: amount * 2 };
  };
  const counts = new Map<number, number>();
  for (let round = 0; round < howMany(1_000, 60); round += 1) {
    const grants = drawGrants(random, it);
    const present = (await rows()).map((row) => ({ ...row, fields: compute(row.fields) }));
    const asked = present
      .filter(() => random.once(4))
      .map((row) => ({
        id: row.id,
        fields: Object.fromEntries(
          [
            [id['State'], random.pick(['x', 'y', 'z', null])],
            [id['Amount'], random.pick([0, 1, 3, 5, null])],
            [id['Name'], `n${random.below(3)}`],
            [id['Secret'], random.pick(['s', null])],
          ].filter((_, at) => at === 2 || random.once(3)) as [string, unknown][],
        ),
      }));
    if (asked.length === 0) continue;
    const caller = await it.as(grants);
    const { status, named, after } = judge(grants, present, asked, compute);
    const answer = await caller.call(updateRecords, { params, body: { records: asked, fieldKeyType: 'id' } as never });
    const context = `TEST_SEED=${seed} round ${round} ${JSON.stringify(grants.map((grant) => ({ ...grant, fields: grant.fields && [...grant.fields], actions: [...(grant.actions ?? [])] })))} ${JSON.stringify(asked)} ${JSON.stringify(present)} ${answer.text}`;
    expect(answer.status, context).toBe(status);
    if (named.length > 0) expect(told(answer).recordIds?.toSorted(), context).toEqual(named.toSorted());
    expect(
      (await rows()).map((row) => ({ id: row.id, fields: compute(row.fields) })),
      context,
    ).toEqual(after.map((row) => ({ id: row.id, fields: row.fields })));
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  // Otherwise it proves nothing.
  for (const status of [200, 403, 404]) expect(counts.get(status) ?? 0, JSON.stringify([...counts])).toBeGreaterThan(0);
});
