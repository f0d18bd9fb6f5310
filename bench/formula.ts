// `npx tsx bench/formula.ts [--quick] [--record] [--only=update,create,list,index,adding,million]`: what formulas cost, beside tables without. It runs
// the server that is built; `npm run build` first when the sources are newer.
import { type BenchField, cellsOf, type Person, tenFields, twentyFields } from './cells.ts';
import { type Comparison, runComparison, type Work } from './comparison.ts';
import { short } from './figures.ts';
import { measureAdding } from './formula/adding.ts';
import { copyResults, type Kind, tableOf } from './formula/tables.ts';
import { callApi, historyName, newSpace, tableName } from './ground.ts';
import type { RawTable } from './process/raw.sql.ts';
import type { Stage } from './process/stage.ts';
import type { ScriptLine } from './process/script.ts';
import { whenIndexed } from './query/depth.ts';
import { measureSides } from './sides.ts';

const recordsOf = (
  fields: BenchField[],
  person: Person,
  first: number,
  count: number,
): { fields: Record<string, unknown> }[] =>
  Array.from({ length: count }, (_, at) => ({ fields: cellsOf(fields, first + at, 0, person) }));

const fill = async (
  stage: Stage,
  table: RawTable,
  fields: BenchField[],
  person: Person,
  count: number,
): Promise<string[]> => {
  const ids: string[] = [];
  for (let row = 0; row < count; row += 1_000) {
    const made = await callApi<{ records: { id: string }[] }>(stage, 'POST', `/table/${table.tableId}/record`, {
      records: recordsOf(fields, person, row, Math.min(1_000, count - row)),
    });
    ids.push(...made.records.map(({ id }) => id));
  }
  await stage.db.query(`vacuum analyze ${tableName(table)}`);
  return ids;
};

type Tables = Partial<Record<Kind, RawTable>>;

const makeTables = async (stage: Stage, fields: BenchField[], kinds: readonly Kind[]): Promise<Tables> => {
  const spaceId = await newSpace(stage);
  const tables: Tables = {};
  for (const kind of kinds) tables[kind] = await tableOf(stage, spaceId, fields, kind);
  return tables;
};

const names: Record<Kind, string> = { none: 'without', formulas: 'with 5 formulas', plain: 'with 5 plain fields' };

const updating = async ({ stage, person, rounds, requests }: Work): Promise<Comparison> => {
  const tables = await makeTables(stage, tenFields, ['none', 'formulas']);
  const sides = [];
  for (const [kind, table] of Object.entries(tables) as [Kind, RawTable][]) {
    const ids = await fill(stage, table, tenFields, person, 3_000);
    const lines = [1, 2].flatMap((variant) =>
      ids.map((id, row): ScriptLine => {
        const cells = cellsOf(tenFields, row, variant, person);
        return {
          method: 'PATCH',
          path: `/api/table/${table.tableId}/record/${id}`,
          body: {
            record: { fields: { 'Text 1': cells['Text 1'], 'Number 1': cells['Number 1'], Status: cells['Status'] } },
          },
        };
      }),
    );
    const reset = async (): Promise<void> => {
      await stage.db.query(`truncate ${historyName(table)}`);
      await stage.db.query(`vacuum ${tableName(table)}`);
    };
    sides.push({ name: names[kind], lines, reset });
  }
  return {
    title: 'update 1 × 3 with history, 16 clients',
    goals: [{ must: 0.9 }],
    sides: await measureSides(stage, sides, { rounds, clients: 16, requests: requests(4_000, 600) }),
  };
};

const creating = async ({ stage, person, rounds, requests }: Work): Promise<Comparison> => {
  const tables = await makeTables(stage, twentyFields, ['none', 'formulas']);
  const sides = (Object.entries(tables) as [Kind, RawTable][]).map(([kind, table]) => ({
    name: names[kind],
    lines: Array.from(
      { length: 5 },
      (_, at): ScriptLine => ({
        method: 'POST',
        path: `/api/table/${table.tableId}/record`,
        body: { records: recordsOf(twentyFields, person, at * 1_000, 1_000) },
      }),
    ),
    reset: async () => void (await stage.db.query(`truncate ${tableName(table)}`)),
  }));
  return {
    title: 'create 1,000 × 20, 1 client',
    goals: [{ must: 0.9 }],
    sides: await measureSides(stage, sides, { rounds, clients: 1, requests: requests(40, 5) }),
  };
};

const listing = async ({ stage, person, rounds, requests }: Work): Promise<Comparison> => {
  const tables = await makeTables(stage, twentyFields, ['plain', 'formulas', 'none']);
  for (const table of Object.values(tables)) await fill(stage, table, twentyFields, person, 5_000);
  await copyResults(stage, tables.formulas as RawTable, tables.plain as RawTable);
  const sides = (Object.entries(tables) as [Kind, RawTable][]).map(([kind, { tableId }]) => ({
    name: names[kind],
    lines: [{ method: 'GET' as const, path: `/api/table/${tableId}/record?take=100` }],
  }));
  return {
    title: 'list 100 × 20, 4 clients',
    goals: [{ must: 0.95 }, null],
    sides: await measureSides(stage, sides, { rounds, clients: 4, requests: requests(2_000, 200) }),
  };
};

interface View {
  id: string;
}

const findingBy = async ({ stage, person, isQuick, rounds, requests }: Work): Promise<Comparison[]> => {
  const { formulas: table } = (await makeTables(stage, twentyFields, ['formulas'])) as { formulas: RawTable };
  await fill(stage, table, twentyFields, person, isQuick ? 10_000 : 100_000);
  const fields = await callApi<{ id: string; name: string }[]>(stage, 'GET', `/table/${table.tableId}/field`);
  const idOf = (name: string): string => fields.find((field) => field.name === name)?.id as string;
  const { rows } = await stage.db.query<{ one: number; other: number }>(
    `select percentile_disc(0.995) within group (order by "${table.fields.find(({ name }) => name === 'Number 1')?.dbFieldName}") as one, percentile_disc(0.995) within group (order by "Product") as other from ${tableName(table)}`,
  );
  const most = { 'Number 1': rows[0]?.one, Product: rows[0]?.other };
  const viewOf = async (part: 'sort' | 'filter', name: keyof typeof most): Promise<string> => {
    const { id } = await callApi<View>(stage, 'POST', `/table/${table.tableId}/view`, {
      name: `${part} ${name}`,
      type: 'grid',
    });
    const body =
      part === 'sort'
        ? { sort: { sortObjs: [{ fieldId: idOf(name), order: 'desc' }] } }
        : {
            filter: {
              conjunction: 'and',
              filterSet: [{ fieldId: idOf(name), operator: 'isGreaterEqual', value: most[name] }],
            },
          };
    const answer = await fetch(`${stage.server.origin}/api/table/${table.tableId}/view/${id}/${part}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the view was not changed: ${await answer.text()}`);
    return id;
  };
  const results: Comparison[] = [];
  const views: Record<'sort' | 'filter', string[]> = { sort: [], filter: [] };
  for (const part of ['sort', 'filter'] as const)
    for (const name of ['Number 1', 'Product'] as const) views[part].push(await viewOf(part, name));
  await whenIndexed(stage, table, views.sort[0] as string, 4);
  for (const part of ['sort', 'filter'] as const) {
    const sides = views[part].map((viewId, at) => ({
      name: at === 0 ? 'by a number' : 'by a formula',
      lines: [{ method: 'GET' as const, path: `/api/table/${table.tableId}/record?take=100&viewId=${viewId}` }],
    }));
    results.push({
      title: `a view that ${part}s, with its index, 4 clients`,
      goals: [{ must: 0.9 }],
      sides: await measureSides(stage, sides, { rounds, clients: 4, requests: requests(2_000, 200) }),
    });
  }
  return results;
};

const adding = async (stage: Stage, count: number, turns: number): Promise<string[]> => {
  const { records, answered, filled, isPending, jobs, progress, wrong, pages, writes } = await measureAdding(
    stage,
    count,
    turns,
  );
  return [
    `## A formula added to ${records.toLocaleString('en')} records`,
    '',
    `Answered after ${short(answered)} ms${isPending ? ' as pending' : ', filled already'}, filled after ${short(filled)} s by ${jobs} job; its progress was seen to grow ${progress} times. Cells that were wrong: ${wrong.read} on pages meanwhile, ${wrong.stored} in the column afterwards (must be none). A page of 100 took ${short(pages.meanwhile)} ms meanwhile and ${short(pages.settled)} ms afterwards: **${pages.ratio.toFixed(2)}** (must be at most 2). An update of one record took ${short(writes.meanwhile)} ms meanwhile, ${short(writes.settled)} ms afterwards; the longest wait was ${short(writes.longest)} ms (must be at most 1,000).`,
    '',
  ];
};

await runComparison({
  name: 'formula',
  title: 'What formulas cost',
  parts: { update: updating, create: creating, list: listing, index: findingBy },
  sections: {
    adding: ({ stage, isQuick }) => adding(stage, isQuick ? 20_000 : 200_000, isQuick ? 50 : 300),
    million: ({ stage, isQuick }) => adding(stage, isQuick ? 30_000 : 1_000_000, isQuick ? 50 : 300),
  },
});
process.exit(0);
