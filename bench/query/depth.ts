// A large table: the first page against one deep inside, with the cursor and, to compare, with skip; and what the
// index of a view does for a sort.
import { twentyFields } from '../cells.ts';
import { median } from '../figures.ts';
import { newSpace, newTable, tableName } from '../ground.ts';
import type { RawTable } from '../process/raw.sql.ts';
import type { Stage } from '../process/stage.ts';
import { fillSql } from './raw-query.sql.ts';

interface Timing {
  name: string;
  milliseconds: number;
}

export interface Depth {
  records: number;
  timings: Timing[];
  /** Deep by cursor to first page: in the order of the table, and in that of a sorted view. */
  plainRatio: number;
  sortedRatio: number;
}

interface Page {
  records: { autoNumber: number; fields: Record<string, unknown> }[];
  extra: { nextCursor: string };
}

const call = async <T>({ server, token }: Stage, method: string, path: string, body?: unknown): Promise<T> => {
  const response = await fetch(`${server.origin}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
};

/** Both alternate, so that what else the machine does strikes them alike. */
const alternate = async (stage: Stage, paths: Record<string, string>, times: number): Promise<Timing[]> => {
  const found = new Map(Object.keys(paths).map((name) => [name, [] as number[]]));
  for (let turn = 0; turn < times + 3; turn += 1) {
    for (const [name, path] of Object.entries(paths)) {
      const begun = performance.now();
      await call(stage, 'GET', path);
      if (turn >= 3) found.get(name)?.push(performance.now() - begun);
    }
  }
  return [...found].map(([name, all]) => ({ name, milliseconds: median(all) }));
};

const of = (timings: Timing[], name: string): number =>
  timings.find((timing) => timing.name === name)?.milliseconds ?? Number.NaN;

const indexesOf = async (stage: Stage, table: RawTable): Promise<number> => {
  const { rows } = await stage.db.query<{ count: number }>(
    `select count(*)::int as count from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = '${tableName(table)}'::regclass and i.indisvalid and c.relname like '\\_\\_view\\_%'`,
  );
  return rows[0]?.count ?? 0;
};

export const whenIndexed = async (stage: Stage, table: RawTable, viewId: string, count: number): Promise<void> => {
  while ((await indexesOf(stage, table)) !== count) {
    await call(stage, 'GET', `/table/${table.tableId}/record?take=1&viewId=${viewId}`);
    await new Promise((done) => setTimeout(done, 250));
  }
  await stage.db.query(`vacuum analyze ${tableName(table)}`);
};

/** A cursor into the middle, made of a record that stands there. */
const cursorAt = (first: Page, values: string[]): string => {
  const [signature] = JSON.parse(Buffer.from(first.extra.nextCursor, 'base64url').toString()) as string[];
  return Buffer.from(JSON.stringify([signature, ...values])).toString('base64url');
};

export const measureDepth = async (stage: Stage, records: number, times: number): Promise<Depth> => {
  const table = await newTable(stage, await newSpace(stage), twentyFields);
  await stage.db.query(fillSql(table, records, stage.userId));
  await stage.db.query(`vacuum analyze ${tableName(table)}`);
  const list = `/table/${table.tableId}/record?take=100`;
  const deep = Math.floor(records * 0.9);
  const plainCursor = cursorAt(await call<Page>(stage, 'GET', list), [String(deep)]);
  const plain = await alternate(
    stage,
    { 'first page': list, 'deep, by cursor': `${list}&cursor=${plainCursor}` },
    times,
  );
  const few = Math.max(3, Math.floor(times / 20));
  const skipped = await alternate(stage, { 'deep, by skip': `${list}&skip=${deep}` }, few);

  const [view] = await call<{ id: string }[]>(stage, 'GET', `/table/${table.tableId}/view`);
  const viewId = view?.id as string;
  const fields = await call<{ id: string; name: string; dbFieldName: string }[]>(
    stage,
    'GET',
    `/table/${table.tableId}/field`,
  );
  const [status, text] = ['Status 1', 'Text 1'].map((name) => fields.find((field) => field.name === name)) as [
    (typeof fields)[number],
    (typeof fields)[number],
  ];
  const orderBy = encodeURIComponent(
    JSON.stringify([
      { fieldId: status.id, order: 'desc' },
      { fieldId: text.id, order: 'asc' },
    ]),
  );
  const without = await alternate(stage, { 'sorted, without an index': `${list}&orderBy=${orderBy}` }, few);
  await call(stage, 'PUT', `/table/${table.tableId}/view/${viewId}/sort`, {
    sort: {
      sortObjs: [
        { fieldId: status.id, order: 'desc' },
        { fieldId: text.id, order: 'asc' },
      ],
    },
  });
  await whenIndexed(stage, table, viewId, 1);
  const position = `array_position('{Planned,"In progress","In review",Done,Dropped}'::text[], "${status.dbFieldName}")`;
  const { rows } = await stage.db.query<{ a: string; b: string; c: string }>(
    `select ${position}::text as a, left("${text.dbFieldName}", 200) as b, __auto_number::text as c from ${tableName(table)} order by ${position} desc nulls last, left("${text.dbFieldName}", 200) nulls first, __auto_number offset ${deep} limit 1`,
  );
  const inside = rows[0] as { a: string; b: string; c: string };
  const sorted = `${list}&viewId=${viewId}`;
  const sortedCursor = cursorAt(await call<Page>(stage, 'GET', sorted), [inside.a, inside.b, inside.c]);
  const withIndex = await alternate(
    stage,
    { 'sorted view, first page': sorted, 'sorted view, deep, by cursor': `${sorted}&cursor=${sortedCursor}` },
    times,
  );
  return {
    records,
    timings: [...plain, ...skipped, ...without, ...withIndex],
    plainRatio: of(plain, 'deep, by cursor') / of(plain, 'first page'),
    sortedRatio: of(withIndex, 'sorted view, deep, by cursor') / of(withIndex, 'sorted view, first page'),
  };
};

export interface WriteCost {
  indexes: number;
  /** Milliseconds for a request of 1,000 records. */
  create: number;
}

/** What the indexes of views cost a write: the same creates into tables with none, one and three of them, in turn. */
export const measureWrites = async (stage: Stage, times: number): Promise<WriteCost[]> => {
  const spaceId = await newSpace(stage);
  const tables: { table: RawTable; indexes: number; all: number[] }[] = [];
  for (const indexes of [0, 1, 3]) {
    const table = await newTable(stage, spaceId, twentyFields);
    await stage.db.query(fillSql(table, 20_000, stage.userId));
    const [view] = await call<{ id: string }[]>(stage, 'GET', `/table/${table.tableId}/view`);
    const fields = await call<{ id: string; name: string }[]>(stage, 'GET', `/table/${table.tableId}/field`);
    const idOf = (name: string): string => fields.find((field) => field.name === name)?.id as string;
    const place = `/table/${table.tableId}/view/${view?.id}`;
    if (indexes > 0)
      await call(stage, 'PUT', `${place}/sort`, { sort: { sortObjs: [{ fieldId: idOf('Text 1'), order: 'asc' }] } });
    if (indexes > 1) {
      const filterSet = [
        { fieldId: idOf('Number 1'), operator: 'isGreater', value: 1 },
        {
          fieldId: idOf('Date 1'),
          operator: 'isAfter',
          value: { mode: 'exactDate', exactDate: '2020-01-01T00:00:00.000Z', timeZone: 'UTC' },
        },
      ];
      await call(stage, 'PUT', `${place}/filter`, { filter: { conjunction: 'and', filterSet } });
    }
    await whenIndexed(stage, table, view?.id as string, indexes);
    tables.push({ table, indexes, all: [] });
  }
  for (let turn = 0; turn < times + 2; turn += 1) {
    for (const { table, all } of tables) {
      const cell = (type: string, at: number, row: number): unknown => {
        const mixed = (Math.imul(row + at * 7 + turn * 1_000, 2_654_435_761) >>> 0) % 1_000_000;
        if (type === 'singleLineText' || type === 'longText') return `willow ${mixed} of ${row}`;
        if (type === 'number') return mixed / 100;
        if (type === 'rating') return (mixed % 5) + 1;
        if (type === 'checkbox') return mixed % 2 === 0;
        if (type === 'date') return new Date(1_700_000_000_000 + mixed * 60_000).toISOString();
        if (type === 'singleSelect') return 'Done';
        return type === 'multipleSelect' ? ['Done'] : null;
      };
      const records = Array.from({ length: 1_000 }, (_, row) => ({
        fields: Object.fromEntries(table.fields.map(({ name, type }, at) => [name, cell(type, at, row)])),
      }));
      const begun = performance.now();
      await call(stage, 'POST', `/table/${table.tableId}/record`, { records });
      if (turn >= 2) all.push(performance.now() - begun);
    }
  }
  return tables.map(({ indexes, all }) => ({ indexes, create: median(all) }));
};
