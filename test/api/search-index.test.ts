// Searching large tables by an index of parts of words: the same answers as without it, whatever is written, in any language, case and accent.
import { getRowCount, getSearchCount, getSearchIndex } from '@rowhouse/contract/aggregation.ts';
import { convertField, createField, deleteField, updateField } from '@rowhouse/contract/field.ts';
import { createRecords, deleteRecords, listRecords, updateRecord, updateRecords } from '@rowhouse/contract/record.ts';
import { deleteTable, type FullTable } from '@rowhouse/contract/table.ts';
import { listTrashItems, restoreTrash } from '@rowhouse/contract/trash.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { compile, sql } from '../../server/db/sql.ts';
import { limits } from '../../server/domain/record/search-index/find-by-index.ts';
import { keepSearchIndexes } from '../../server/domain/record/search-index/keep-search-indexes.ts';
import { noWork } from '../../server/work/job.ts';
import { addJob } from '../../server/work/job.sql.ts';
import { howMany } from '../support/cases.ts';
import { setMatrix } from '../support/matrix.sql.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const usual = { ...limits };
let shop: Workshop;
let table: FullTable;

const texts = [
  'Der Fluß fließt nach Füssen',
  'CAFÉ noir, cafe\u0301 au lait',
  'Σίσυφος ΣΊΣΥΦΟΣ σισυφος',
  'Привет, мир! ЁЛКА и ёлка, еж',
  '東京都に行く、京都も',
  '한국어 검색 시험',
  'שָׁלוֹם עולם',
  'ﬁsh & ﬂags, Ǆungla, ½ liter ™',
  'İstanbul ıslak ISLAK ilk',
  'naïve coöperation 100% a_b\\c',
  'x😀yz emoji 👩‍👩‍👧 family',
  'नमस्ते दुनिया',
  'plain words only, number 4711',
  'plain words only, number 4712',
  'ab',
  '',
];

const grow = async (made: FullTable): Promise<void> => {
  // As large as a table has to be: its numbers count, not its records.
  await world().db.query(
    sql`select setval(format('%I.%I', ${shop.baseId}::text, ${`__auto_number_${made.id}`}::text)::regclass, 19999)`,
  );
};

const fill = (made: FullTable, given: readonly string[]): Promise<unknown> =>
  shop.owner.call(createRecords, {
    params: { tableId: made.id },
    body: {
      records: given.map((Name, at) => ({
        fields: {
          Name: Name === '' ? null : Name,
          Count: at * 1_000.5,
          Tags: at % 3 === 0 ? ['red fish', 'blue'] : ['blue'],
        },
      })),
    },
  });

const newTable = async (): Promise<FullTable> => {
  const made = await shop.table({
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Count' },
      { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'red fish' }, { name: 'blue' }] } },
      { type: 'createdBy', name: 'Author' },
    ],
    records: [],
  });
  await grow(made);
  await fill(made, texts);
  // The segments of these are others.
  await fill(
    made,
    Array.from({ length: 200 }, (_, at) => `other ${at}`),
  );
  return made;
};

const state = async (made = table): Promise<{ fields: number; dirty: number } | undefined> =>
  (
    await world().db.query<{ fields: number; dirty: number }>(
      sql`select (select count(*)::int from jsonb_object_keys(coverage)) as fields, (select count(*)::int from rowhouse_search.dirty where table_id = ${made.id}) as dirty
          from rowhouse_search.state where table_id = ${made.id}`,
    )
  )[0];

const run = async (kind: string, made: FullTable): Promise<void> => {
  await addJob(world().db, {
    kind,
    key: made.id,
    baseId: shop.baseId,
    payload: { baseId: shop.baseId, tableId: made.id },
  });
};

const build = async (made: FullTable): Promise<void> => {
  await run('index-search', made);
  await vi.waitFor(async () => expect((await state(made))?.fields).toBeGreaterThan(0), {
    timeout: 50_000,
    interval: 50,
  });
};

const refresh = async (made: FullTable): Promise<void> => {
  await run('refresh-search-index', made);
  await vi.waitFor(async () => expect((await state(made))?.dirty).toBe(0), { timeout: 50_000, interval: 50 });
};

const found = async (query: Record<string, unknown>, by = shop.owner, made = table): Promise<string[]> => {
  const { status, body } = await by.call(listRecords, {
    params: { tableId: made.id },
    query: { take: 1_000, ...query },
  });
  expect(status).toBe(200);
  return body.records.map(({ id }) => id);
};

const contains = (text: string) => ({
  filter: JSON.stringify({ conjunction: 'and', filterSet: [{ fieldId: 'Name', operator: 'contains', value: text }] }),
});

/** Both with the index, wherever it can be used, and without. */
const bothWays = async <T>(ask: () => Promise<T>): Promise<[T, T]> => {
  Object.assign(limits, { fresh: -1, freshNone: -1, dirty: 1_000_000, share: 1_000_000 });
  const by = await ask();
  limits.share = -1;
  const without = await ask();
  return [by, without];
};

const same = async (query: Record<string, unknown>, by = shop.owner, made = table): Promise<string[]> => {
  const [byIndex, without] = await bothWays(() => found(query, by, made));
  expect(byIndex).toEqual(without);
  return byIndex;
};

const search = (text: string, names = '') => ({ search: [text, names, true] as never });

beforeAll(async () => {
  shop = await openWorkshop(world());
  table = await newTable();
  await build(table);
});

afterAll(() => void Object.assign(limits, usual));

test('a search goes by the index, and looks through everything when that says nothing of a field', async () => {
  const numbered = await same(search('number 4711'));
  expect(numbered).toHaveLength(1);
  Object.assign(limits, { fresh: -1, freshNone: -1, dirty: 1_000_000, share: 1_000_000 });
  const other = await newTable();
  await build(other);
  await refresh(other);
  await world().db.query(sql`delete from ${sql.id('rowhouse_search', `segments_${other.id}`)}`);
  // It would be found without the index.
  expect(await found(search('number 4711'), shop.owner, other)).toEqual([]);
  expect(await found(contains('number 4711'), shop.owner, other)).toEqual([]);
  await world().db.query(sql`update rowhouse_search.state set coverage = '{}' where table_id = ${other.id}`);
  expect(await found(search('number 4711'), shop.owner, other)).toHaveLength(1);
  expect(await found(contains('number 4711'), shop.owner, other)).toHaveLength(1);
});

test('any part of any text, in another case, with and without accents, is found as without the index', async () => {
  const part = fc
    .tuple(fc.constantFrom(...texts.filter((text) => text !== '')), fc.nat(), fc.integer({ min: 1, max: 12 }))
    .map(([text, from, length]) => {
      const letters = Array.from(text);
      const start = from % letters.length;
      return letters.slice(start, start + length).join('');
    });
  const changed = fc
    .tuple(part, fc.constantFrom('same', 'upper', 'lower', 'bare', 'nfd', 'nfkc', 'wrong'))
    .map(([text, how]) => {
      if (how === 'upper') return text.toUpperCase();
      if (how === 'lower') return text.toLowerCase();
      if (how === 'bare') return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
      if (how === 'nfd') return text.normalize('NFD');
      if (how === 'nfkc') return text.normalize('NFKC');
      return how === 'wrong' ? `${text}q` : text;
    })
    .filter((text) => text.trim() !== '' && !text.includes('\0') && text.isWellFormed());
  await fc.assert(
    fc.asyncProperty(changed, async (text) => {
      await same(search(text));
      await same(contains(text));
    }),
    { numRuns: howMany(600, 80) },
  );
}, 120_000);

test('what is not searched by the index is found, too: people, choices, numbers', async () => {
  expect(await same(search('Owner'))).toHaveLength(texts.length + 200);
  expect((await same(search('red fish, b'))).length).toBeGreaterThan(0);
  expect((await same(search('blue'))).length).toBe(texts.length + 200);
  expect(await same(search('14007', 'Count'))).toHaveLength(3);
  await same({ ...search('number'), orderBy: JSON.stringify([{ fieldId: 'Count', order: 'desc' }]) });
  await same({ ...search('number'), groupBy: JSON.stringify([{ fieldId: 'Tags' }]), skip: 1, take: 1 });
  const count = () => shop.owner.call(getRowCount, { params: { tableId: table.id }, query: search('4711') });
  expect((await bothWays(async () => (await count()).body))[0]).toEqual({ rowCount: 1 });
  const hits = await bothWays(
    async () =>
      (await shop.owner.call(getSearchCount, { params: { tableId: table.id }, query: search('number 47') })).body,
  );
  expect(hits[0]).toEqual(hits[1]);
  // The box above a grid shows all records, and where among them something is found.
  const places = async (query: object): Promise<void> => {
    for (const hides of ['true', 'false']) {
      const ask = async () =>
        (
          await shop.owner.call(getSearchIndex, {
            params: { tableId: table.id },
            query: { search: ['number 47', '', hides], ...query } as never,
          })
        ).body;
      const [byIndex, without] = await bothWays(ask);
      expect(byIndex).toEqual(without);
      expect(byIndex).not.toBeNull();
    }
  };
  await places({});
  await places({ take: 1, skip: 1 });
  await places({ orderBy: JSON.stringify([{ fieldId: 'Count', order: 'desc' }]) });
  await places(contains('o'));
});

test('what is written counts at once, before anybody has looked at it and afterwards', async () => {
  const [first, second, third] = await found({});
  const at = { tableId: table.id };
  await shop.owner.call(updateRecord, {
    params: { ...at, recordId: first as string },
    body: { record: { fields: { Name: 'zebra crossing' } } },
  });
  await shop.owner.call(updateRecords, {
    params: at,
    body: {
      records: [
        { id: second as string, fields: { Name: 'a zebra' } },
        { id: third as string, fields: { Name: 'zèbre' } },
      ],
    },
  });
  await shop.owner.call(createRecords, { params: at, body: { records: [{ fields: { Name: 'Zebras' } }] } });
  expect(await same(search('zebra'))).toHaveLength(3);
  expect(await same(search('Füssen'))).toEqual([]);
  expect((await state())?.dirty).toBeGreaterThan(0);
  await refresh(table);
  expect(await same(search('zebra'))).toHaveLength(3);
  expect(await same(search('zebre'))).toEqual([third]);
  await shop.owner.call(deleteRecords, { params: at, query: { recordIds: [first as string] } });
  expect(await same(search('zebra'))).toHaveLength(2);
});

test('a write that is not committed yet is found when it is, also if the index is brought up to date in between', async () => {
  const [recordId] = await found({});
  const place = sql.id(shop.baseId, table.dbTableName.split('.')[1] as string);
  const writer = await world().db.dedicated();
  try {
    await writer.query('begin');
    await writer.query(
      compile(sql`update ${place} set "Name" = 'okapi in the woods'`).text + ` where __id = '${recordId}'`,
    );
    await run('refresh-search-index', table);
    await vi.waitFor(
      async () => {
        const waiting = await world().db.query(
          sql`select from rowhouse.jobs where kind = 'refresh-search-index' and state in ('waiting', 'running')`,
        );
        expect(waiting).toEqual([]);
      },
      { timeout: 50_000, interval: 50 },
    );
    expect(await same(search('okapi'))).toEqual([]);
    await writer.query('commit');
  } finally {
    await writer.end();
  }
  expect(await same(search('okapi'))).toEqual([recordId]);
});

test('fields are renamed, converted there and back, added and deleted', async () => {
  const made = await newTable();
  await build(made);
  const idOf = (name: string): string => made.fields.find((field) => field.name === name)?.id as string;
  const ask = (text: string) => same(search(text), shop.owner, made);
  const field = { params: { tableId: made.id, fieldId: idOf('Name') } };
  const ok = (answer: { status: number }): void => expect([200, 201, 204]).toContain(answer.status);
  ok(await shop.owner.call(updateField, { ...field, body: { name: 'Title', dbFieldName: 'title' } }));
  expect(await ask('number 4711')).toHaveLength(1);
  ok(await shop.owner.call(convertField, { ...field, body: { type: 'number' } }));
  expect(await ask('number 4711')).toEqual([]);
  ok(await shop.owner.call(convertField, { ...field, body: { type: 'singleLineText' } }));
  expect(await ask('number 4711')).toEqual([]);
  const [recordId] = await found({}, shop.owner, made);
  const added = await shop.owner.call(createField, {
    params: { tableId: made.id },
    body: { type: 'longText', name: 'More' },
  });
  ok(added);
  ok(
    await shop.owner.call(updateRecord, {
      params: { tableId: made.id, recordId: recordId as string },
      body: { record: { fields: { More: 'wombats dig' } } },
    }),
  );
  expect(await ask('wombats')).toEqual([recordId]);
  await build(made);
  await refresh(made);
  expect(await ask('wombats')).toEqual([recordId]);
  ok(await shop.owner.call(deleteField, { params: { tableId: made.id, fieldId: added.body.id } }));
  expect(await ask('wombats')).toEqual([]);
  ok(await shop.owner.call(deleteTable, { params: { baseId: shop.baseId, tableId: made.id } }));
  await run('refresh-search-index', made);
});

test('those who are bound by rules find in what they see', async () => {
  await shop.owner.call(createRecords, {
    params: { tableId: table.id },
    body: {
      records: [{ fields: { Name: 'secret pangolin', Count: 7 } }, { fields: { Name: 'public pangolin', Count: 8 } }],
    },
  });
  const reader = await member(world(), shop.owner, shop.baseId, 'viewer');
  const countId = table.fields.find(({ name }) => name === 'Count')?.id as string;
  const nameId = table.fields.find(({ name }) => name === 'Name')?.id as string;
  const when = { conjunction: 'and', filterSet: [{ fieldId: countId, operator: 'isGreater', value: 7 }] };
  const rules = (tables: object) =>
    setMatrix(world(), shop.baseId, [
      { members: [{ userId: reader.userId }], tables: { [table.id]: tables } },
    ] as never);
  await rules({ grants: [{ actions: ['record|read'], when }] });
  expect(await same(search('pangolin'), reader)).toHaveLength(1);
  expect(await same(search('secret pang'), reader)).toEqual([]);
  await rules({ grants: [{ actions: ['record|read'] }], fields: { [nameId]: { read: when } } });
  await same(search('pangolin'), reader);
  await same(contains('pangolin'), reader);
});

test('a field that comes back from the trash is searched as it is then', async () => {
  const made = await newTable();
  await build(made);
  const more = await shop.owner.call(createField, {
    params: { tableId: made.id },
    body: { type: 'longText', name: 'More' },
  });
  const [recordId] = await found({}, shop.owner, made);
  const write = (fields: Record<string, unknown>) =>
    shop.owner.call(updateRecord, {
      params: { tableId: made.id, recordId: recordId as string },
      body: { record: { fields } },
    });
  await write({ More: 'wombats dig' });
  await world().db.query(sql`update rowhouse_search.state set coverage = '{}' where table_id = ${made.id}`);
  await build(made);
  await refresh(made);
  await shop.owner.call(deleteField, { params: { tableId: made.id, fieldId: more.body.id } });
  await write({ Name: 'something else' });
  await refresh(made);
  const items = await shop.owner.call(listTrashItems, { query: { resourceId: made.id, resourceType: 'table' } });
  const [item] = items.body.trashItems;
  expect((await shop.owner.call(restoreTrash, { params: { trashId: item?.id as string } })).status).toBe(201);
  expect(await same(search('wombats'), shop.owner, made)).toEqual([recordId]);
  expect(await same(search('something els'), shop.owner, made)).toEqual([recordId]);
});

test('an index that nobody has searched by for a week is closed, and goes an hour later', async () => {
  const made = await newTable();
  await build(made);
  const { db } = world();
  const there = async (): Promise<unknown> =>
    (
      await db.query(
        sql`select to_regclass(${`rowhouse_search."segments_${made.id}"`}) is not null as "isThere", (select count(*)::int from pg_trigger where tgname like '\\_\\_search%' and tgrelid = ${`"${shop.baseId}"."${made.dbTableName.split('.')[1]}"`}::regclass) as triggers`,
      )
    )[0];
  const keep = () => keepSearchIndexes(db, noWork, new AbortController().signal);
  await keep();
  expect(await there()).toEqual({ isThere: true, triggers: 2 });
  await db.query(
    sql`update rowhouse_search.state set used_time = now() - interval '8 days' where table_id = ${made.id}`,
  );
  await keep();
  expect(await there()).toEqual({ isThere: true, triggers: 0 });
  expect(await same(search('number 4711'), shop.owner, made)).toHaveLength(1);
  await db.query(
    sql`update rowhouse_search.state set closed_time = now() - interval '2 hours' where table_id = ${made.id}`,
  );
  await keep();
  expect(await there()).toEqual({ isThere: false, triggers: 0 });
  expect(await state(made)).toBeUndefined();
  // It is made again as if it had never been.
  await build(made);
  expect(await there()).toEqual({ isThere: true, triggers: 2 });
  expect(await same(search('number 4711'), shop.owner, made)).toHaveLength(1);
});
