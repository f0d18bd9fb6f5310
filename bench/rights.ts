// `npx tsx bench/rights.ts [--quick] [--record] [--only=list,count,update,none]`: what rules on rows and fields cost somebody whom they bind, beside the same requests of somebody who sees everything, in
// a table of a million records. It runs the server that is built; `npm run build` first when the sources are newer.
import { openDb } from '../server/db/db.ts';
import { setRoles, when } from '../test/support/matrix.ts';
import { caller } from '../test/support/caller.ts';
import { person, type Person as Member } from '../test/support/people.ts';
import { give } from '../test/support/workspace.ts';
import type { World } from '../test/support/world.ts';
import { cellsOf, twentyFields } from './cells.ts';
import { type Comparison, runComparison, type Work } from './comparison.ts';
import { callApi, newSpace, newTable, tableName } from './ground.ts';
import type { RawTable } from './process/raw.sql.ts';
import type { ScriptLine } from './process/script.ts';
import type { Stage } from './process/stage.ts';
import { fillSql } from './query/raw-query.sql.ts';
import { measureSides } from './sides.ts';

interface Ruled {
  table: RawTable;
  bound: Member;
  /** Of records that the bound member may change. */
  ids: readonly string[];
}

const pinned = 'Status 1';

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** The rule pins a select: a fifth of the records. Its index is made in the background when they are read. */
const open = async ({ stage, isQuick }: Work, hasRules = true): Promise<Ruled> => {
  const { db: client, userId, token, server } = stage;
  const table = await newTable(stage, await newSpace(stage), twentyFields);
  await client.query(fillSql(table, isQuick ? 50_000 : 1_000_000, userId));
  await client.query(`vacuum analyze ${tableName(table)}`);
  const db = openDb(stage.databaseUrl, { max: 2 });
  const baseUrl = `${server.origin}/api`;
  try {
    const bound = await person({ db, baseUrl } as World);
    const owner = { userId, token, call: caller({ baseUrl, token }) } as Member;
    await give(owner, table.baseId, bound, 'editor');
    const fields = await callApi<{ id: string; name: string }[]>(stage, 'GET', `/table/${table.tableId}/field`);
    const condition = when(fields.find(({ name }) => name === pinned)?.id, 'is', 'Planned');
    if (hasRules) {
      const actions = ['record|read', 'record|update'];
      const grants = [{ actions, when: condition, after: condition }];
      await setRoles(owner, table.baseId, [{ members: [bound.userId], tables: { [table.tableId]: { grants } } }]);
      await whenPinned(stage, table, bound);
    }
    const query = `take=1000&fieldKeyType=id&filter=${encodeURIComponent(JSON.stringify(condition))}`;
    const { records } = await callApi<{ records: { id: string }[] }>(
      stage,
      'GET',
      `/table/${table.tableId}/record?${query}`,
    );
    return { table, bound, ids: records.map(({ id }) => id) };
  } finally {
    await db.close();
  }
};

const whenPinned = async (stage: Stage, table: RawTable, bound: Member): Promise<void> => {
  for (;;) {
    await fetch(`${stage.server.origin}/api/table/${table.tableId}/record?take=1`, {
      headers: { authorization: `Bearer ${bound.token}` },
    });
    const { rows } = await stage.db.query<{ count: number }>(
      `select count(*)::int as count from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = '${tableName(table)}'::regclass and i.indisvalid and c.relname like '\\_\\_view\\_%'`,
    );
    if ((rows[0]?.count ?? 0) > 0) break;
    await wait(250);
  }
  await stage.db.query(`vacuum analyze ${tableName(table)}`);
};

const sidesOf = ({ bound }: Ruled, lines: readonly ScriptLine[]) => [
  { name: 'sees everything', lines },
  { name: 'a fifth of the records', lines, token: bound.token },
];

const reading =
  (title: string, path: string, must: number, most: number) =>
  async (work: Work): Promise<Comparison> => {
    const { stage, rounds, requests } = work;
    const ruled = await open(work);
    const lines: ScriptLine[] = [{ method: 'GET', path: `/api/table/${ruled.table.tableId}/${path}` }];
    return {
      title,
      goals: [{ must }],
      sides: await measureSides(stage, sidesOf(ruled, lines), { rounds, clients: 4, requests: requests(most, 40) }),
    };
  };

const updating = async (work: Work): Promise<Comparison> => {
  const { stage, person: maker, rounds, requests } = work;
  const ruled = await open(work);
  const names = ['Text 1', 'Number 1', 'Date 1'];
  const lines = [1, 2].flatMap((variant) =>
    Array.from({ length: 10 }, (_, at): ScriptLine => {
      const some = ruled.ids.slice(at * 100, at * 100 + 100);
      const records = some.map((id, row) => {
        const cells = cellsOf(twentyFields, row, variant, maker);
        return {
          id,
          fields: Object.fromEntries(names.flatMap((name) => (name in cells ? [[name, cells[name]]] : []))),
        };
      });
      return { method: 'PATCH', path: `/api/table/${ruled.table.tableId}/record`, body: { records } };
    }),
  );
  return {
    title: 'update 100 × 3, a condition before and after, 1 client',
    goals: [{ must: 0.9 }],
    sides: await measureSides(stage, sidesOf(ruled, lines), { rounds, clients: 1, requests: requests(400, 40) }),
  };
};

/** Statements are the same bytes (test/api/bound-cost.test.ts): this is the decision about access alone. */
const without = async (work: Work): Promise<Comparison> => {
  const { stage, rounds, requests } = work;
  const [plain, ruled] = [await open({ ...work, isQuick: true }, false), await open({ ...work, isQuick: true })];
  const list = ({ table }: Ruled): ScriptLine[] => [
    { method: 'GET', path: `/api/table/${table.tableId}/record?take=100` },
  ];
  return {
    title: 'list 100 × 20 of somebody who sees everything, 4 clients',
    goals: [{ must: 0.98 }],
    sides: await measureSides(
      stage,
      [
        { name: 'a base without rules', lines: list(plain) },
        { name: 'a base with rules', lines: list(ruled) },
      ],
      { rounds, clients: 4, requests: requests(2_000, 200) },
    ),
  };
};

await runComparison({
  name: 'rights',
  title: 'What rules on rows and fields cost',
  parts: {
    list: reading('list 100 × 20, 4 clients', 'record?take=100', 0.87, 2_000),
    count: reading('count, 4 clients', 'aggregation/row-count', 0.77, 200),
    update: updating,
    none: without,
  },
  sections: {},
});
process.exit(0);
