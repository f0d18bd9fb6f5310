// `npx tsx bench/links.ts [--quick] [--record] [--only=update,many,create,list,sort,hub]`: what links and what is computed through them cost, beside tables without. It
// runs the server that is built; `npm run build` first when the sources are newer.
import { cellsOf, tenFields } from './cells.ts';
import { type Comparison, runComparison, type Work } from './comparison.ts';
import { short } from './figures.ts';
import { callApi, historyName, newSpace, newTable, tableName } from './ground.ts';
import { measureHub } from './links/hub.ts';
import {
  addField,
  addRecords,
  cells,
  fieldIds,
  type Reach,
  reaching,
  tableBeside,
  whenFilled,
} from './links/tables.ts';
import type { RawTable } from './process/raw.sql.ts';
import type { ScriptLine } from './process/script.ts';
import { whenIndexed } from './query/depth.ts';
import { measureSides, type Side } from './sides.ts';

const reaches: [Reach, string][] = [
  ['plain', 'nothing depends on it, no links in the base'],
  ['beside', 'nothing depends on it, links in the base'],
  ['one', '1 level: a record of another table'],
  ['three', '3 levels in 2 tables: 12 records written'],
];

const updating = async ({ stage, person, rounds, requests }: Work): Promise<Comparison> => {
  const spaceId = await newSpace(stage);
  const sides = [];
  for (const [reach, name] of reaches) {
    const { table, ids, tables } = await reaching(stage, spaceId, person, reach, 3_000);
    const lines = [1, 2].flatMap((variant) =>
      ids.map((id, row): ScriptLine => {
        const changed = cellsOf(tenFields, row, variant, person);
        return {
          method: 'PATCH',
          path: `/api/table/${table.tableId}/record/${id}`,
          body: {
            record: {
              fields: { 'Text 2': changed['Text 2'], 'Number 1': changed['Number 1'], Status: changed['Status'] },
            },
          },
        };
      }),
    );
    const reset = async (): Promise<void> => {
      await stage.db.query(`truncate ${historyName(table)}`);
      for (const each of tables) await stage.db.query(`vacuum ${tableName(each)}`);
    };
    sides.push({ name, lines, reset });
  }
  return {
    title: 'update 1 × 3 with history, 16 clients',
    goals: [{ must: 0.95 }, { must: 0.35, want: 0.45 }, { must: 0.25, want: 0.35 }],
    sides: await measureSides(stage, sides, { rounds, clients: 16, requests: requests(4_000, 600) }),
  };
};

/** A hundred records in a request, and all that depends on them. */
const updatingMany = async ({ stage, person, rounds, requests }: Work): Promise<Comparison> => {
  const spaceId = await newSpace(stage);
  const perRequest = 100;
  const sides: Side[] = [];
  for (const [reach, name] of reaches.filter(([one]) => one === 'plain' || one === 'three')) {
    const { table, ids, tables } = await reaching(stage, spaceId, person, reach, 3_000);
    const lines = [1, 2].flatMap((variant) =>
      Array.from({ length: ids.length / perRequest }, (_, at): ScriptLine => {
        const records = ids.slice(at * perRequest, (at + 1) * perRequest).map((id, row) => {
          const changed = cellsOf(tenFields, at * perRequest + row, variant, person);
          return {
            id,
            fields: { 'Text 2': changed['Text 2'], 'Number 1': changed['Number 1'], Status: changed['Status'] },
          };
        });
        return { method: 'PATCH', path: `/api/table/${table.tableId}/record`, body: { records } };
      }),
    );
    const reset = async (): Promise<void> => {
      await stage.db.query(`truncate ${historyName(table)}`);
      for (const each of tables) await stage.db.query(`vacuum ${tableName(each)}`);
    };
    sides.push({ name, lines, reset });
  }
  // At most 5.9 times of what it takes without.
  return {
    title: 'update 100 × 3 with history, 1 client',
    goals: [{ must: 0.17 }],
    sides: await measureSides(stage, sides, { rounds, clients: 1, requests: requests(200, 60) }),
  };
};

const creating = async ({ stage, person, rounds, requests }: Work): Promise<Comparison> => {
  const spaceId = await newSpace(stage);
  const unlinked = await newTable(stage, spaceId, tenFields);
  const { table: projects, ids } = await reaching(stage, spaceId, person, 'plain', 500);
  const own = await fieldIds(stage, projects);
  const linked = await tableBeside(stage, projects, 'Linked', tenFields);
  const link = await addField(stage, linked, {
    name: 'Of',
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: projects.tableId, isOneWay: true },
  });
  for (const name of ['Text 1', 'Number 1'])
    await addField(stage, linked, {
      name: `Seen ${name}`,
      type: tenFields.find((field) => field.name === name)?.type,
      isLookup: true,
      lookupOptions: { foreignTableId: projects.tableId, linkFieldId: link.id, lookupFieldId: own[name] },
    });
  const side = (name: string, table: RawTable, more: (at: number) => object): Side => ({
    name,
    lines: [
      {
        method: 'POST',
        path: `/api/table/${table.tableId}/record`,
        body: { records: cells(person, 100).map(({ fields }, at) => ({ fields: { ...fields, ...more(at) } })) },
      },
    ],
    reset: async () => void (await stage.db.query(`truncate ${tableName(table)}, ${historyName(table)}`)),
  });
  const sides = [
    side('without a link', unlinked, () => ({})),
    side('linked, with 2 lookups', linked, (at) => ({ Of: { id: ids[at % ids.length] } })),
  ];
  // At most 1.8 times of what it takes without.
  return {
    title: 'create 100 × 10, 1 client',
    goals: [{ must: 0.55 }],
    sides: await measureSides(stage, sides, { rounds, clients: 1, requests: requests(300, 60) }),
  };
};

const listing = async ({ stage, person, rounds, requests }: Work): Promise<Comparison> => {
  const spaceId = await newSpace(stage);
  const plain = await newTable(stage, spaceId, tenFields);
  await addRecords(stage, plain, cells(person, 5_000));
  const { table, ids } = await reaching(stage, spaceId, person, 'plain', 500);
  const own = await fieldIds(stage, table);
  const looking = await tableBeside(stage, table, 'Looking', tenFields);
  const link = await addField(stage, looking, {
    name: 'Of',
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: table.tableId, isOneWay: true },
  });
  await addRecords(
    stage,
    looking,
    cells(person, 5_000).map(({ fields }, at) => ({ fields: { ...fields, Of: { id: ids[at % ids.length] } } })),
  );
  for (const name of ['Text 1', 'Text 2', 'Number 1', 'Date', 'Status'])
    await addField(stage, looking, {
      name: `Seen ${name}`,
      type: tenFields.find((field) => field.name === name)?.type,
      isLookup: true,
      lookupOptions: { foreignTableId: table.tableId, linkFieldId: link.id, lookupFieldId: own[name] },
    });
  await whenFilled(stage);
  for (const each of [plain, looking]) await stage.db.query(`vacuum analyze ${tableName(each)}`);
  const sides = [
    { name: 'without', lines: [{ method: 'GET' as const, path: `/api/table/${plain.tableId}/record?take=100` }] },
    {
      name: 'with a link and 5 lookups',
      lines: [{ method: 'GET' as const, path: `/api/table/${looking.tableId}/record?take=100` }],
    },
  ];
  // At most 1.6 times of what it takes without.
  return {
    title: 'list 100 × 10, 4 clients',
    goals: [{ must: 0.625 }],
    sides: await measureSides(stage, sides, { rounds, clients: 4, requests: requests(2_000, 600) }),
  };
};

const sorting = async ({ stage, person, isQuick, rounds, requests }: Work): Promise<Comparison> => {
  const spaceId = await newSpace(stage);
  const tasks = await newTable(stage, spaceId, tenFields);
  // Tables of fewer than 5,000 records get no indexes.
  const count = isQuick ? 6_000 : 20_000;
  const projects = await tableBeside(stage, tasks, 'Projects', [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Number', type: 'number' },
  ]);
  const projectIds = await addRecords(
    stage,
    projects,
    Array.from({ length: count }, (_, at) => ({ fields: { Name: `Project ${at}`, Number: (at * 7_919) % count } })),
  );
  const link = await addField(stage, tasks, {
    name: 'Project',
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: projects.tableId },
  });
  await addRecords(
    stage,
    tasks,
    cells(person, count * 2).map(({ fields }, at) => ({
      fields: { ...fields, Project: { id: projectIds[Math.floor(at / 2)] } },
    })),
  );
  const own = await fieldIds(stage, tasks);
  const sum = await addField(stage, projects, {
    name: 'Sum',
    type: 'rollup',
    options: { expression: 'sum({values})' },
    lookupOptions: {
      foreignTableId: tasks.tableId,
      linkFieldId: link.options['symmetricFieldId'],
      lookupFieldId: own['Number 1'],
    },
  });
  await whenFilled(stage);
  const number = (await fieldIds(stage, projects))['Number'] as string;
  const views: string[] = [];
  for (const fieldId of [number, sum.id]) {
    const { id } = await callApi<{ id: string }>(stage, 'POST', `/table/${projects.tableId}/view`, {
      name: fieldId,
      type: 'grid',
      sort: { sortObjs: [{ fieldId, order: 'desc' }] },
    });
    views.push(id);
    await callApi(stage, 'GET', `/table/${projects.tableId}/record?take=1&viewId=${id}`);
  }
  await whenIndexed(stage, projects, views[0] as string, 2);
  const sides = views.map((viewId, at) => ({
    name: at === 0 ? 'by a number' : 'by a rollup',
    lines: [{ method: 'GET' as const, path: `/api/table/${projects.tableId}/record?take=100&viewId=${viewId}` }],
  }));
  return {
    title: `a view of ${count.toLocaleString('en')} records that sorts, with its index, 4 clients`,
    goals: [{ must: 0.9 }],
    sides: await measureSides(stage, sides, { rounds, clients: 4, requests: requests(2_000, 600) }),
  };
};

const hub = async ({ stage, isQuick }: Work): Promise<string[]> => {
  const { records, made, filled, dependents, renamed, jobSeconds, meanwhile, settled, added } = await measureHub(
    stage,
    isQuick ? 30_000 : 200_000,
  );
  return [
    `## The sample base with ${records.toLocaleString('en')} records`,
    '',
    `Made over the API in ${short(made)} s, all columns filled after ${short(filled)} s.`,
    '',
    `A record that ${dependents.toLocaleString('en')} others show is renamed in **${short(renamed.first)} ms** (must be at most 1,000), and again, while a job is at it, in ${short(renamed.whileFilling)} ms. The job took ${short(jobSeconds)} s. Meanwhile a page of 100 took ${short(meanwhile.page)} ms (longest ${short(meanwhile.longestPage)}), an update of one of these records ${short(meanwhile.write)} ms (longest ${short(meanwhile.longestWrite)}); afterwards ${short(settled.page)} and ${short(settled.write)} ms.`,
    '',
    `A lookup added to its tasks was answered after ${short(added.answered)} ms, the next page took ${short(added.firstPage)} ms, filled after ${short(added.filled)} s.`,
    '',
  ];
};

await runComparison({
  name: 'links',
  title: 'What links cost',
  parts: { update: updating, many: updatingMany, create: creating, list: listing, sort: sorting },
  sections: { hub },
});
process.exit(0);
