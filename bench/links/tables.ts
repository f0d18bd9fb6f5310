// Tables that others depend on, and how far that goes.
import { type BenchField, cellsOf, type Person, tenFields } from '../cells.ts';
import { callApi, newTable, tableName } from '../ground.ts';
import type { RawTable } from '../process/raw.sql.ts';
import type { Stage } from '../process/stage.ts';

/** How far a write reaches: nowhere, nowhere although there are links beside it, one record, or twelve in two tables and three levels. */
export type Reach = 'plain' | 'beside' | 'one' | 'three';

interface Made {
  id: string;
}

/** A table in the base of another one, without records. */
export const tableBeside = async (
  stage: Stage,
  { baseId }: RawTable,
  called: string,
  fields: readonly Pick<BenchField, 'name' | 'type' | 'options'>[],
): Promise<RawTable> => {
  const made = await callApi<{ id: string; dbTableName: string }>(stage, 'POST', `/base/${baseId}/table`, {
    name: called,
    fields: fields.map(({ name, type, options }) => ({ name, type, ...(options === undefined ? {} : { options }) })),
    records: [],
  });
  return {
    baseId,
    tableId: made.id,
    dbTableName: made.dbTableName.slice(made.dbTableName.indexOf('.') + 1),
    fields: [],
  };
};

const beside = (stage: Stage, table: RawTable): Promise<RawTable> =>
  tableBeside(stage, table, 'Other', [{ name: 'Name', type: 'singleLineText' }]);

export const addField = (
  stage: Stage,
  { tableId }: RawTable,
  body: object,
): Promise<Made & { options: Record<string, unknown> }> => callApi(stage, 'POST', `/table/${tableId}/field`, body);

export const fieldIds = async (stage: Stage, { tableId }: RawTable): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await callApi<{ id: string; name: string }[]>(stage, 'GET', `/table/${tableId}/field`)).map(({ id, name }) => [
      name,
      id,
    ]),
  );

export const addRecords = async (
  stage: Stage,
  { tableId }: RawTable,
  records: readonly { fields: Record<string, unknown> }[],
): Promise<string[]> => {
  const ids: string[] = [];
  for (let row = 0; row < records.length; row += 1_000) {
    const made = await callApi<{ records: Made[] }>(stage, 'POST', `/table/${tableId}/record`, {
      records: records.slice(row, row + 1_000),
    });
    ids.push(...made.records.map(({ id }) => id));
  }
  return ids;
};

export const cells = (person: Person, count: number): { fields: Record<string, unknown> }[] =>
  Array.from({ length: count }, (_, row) => ({ fields: cellsOf(tenFields, row, 0, person) }));

/** Records of each project. */
const several = 10;

/** The table that is written to, its records, and all tables that a write may change. */
export const reaching = async (
  stage: Stage,
  spaceId: string,
  person: Person,
  reach: Reach,
  count: number,
): Promise<{ table: RawTable; ids: string[]; tables: RawTable[] }> => {
  const table = await newTable(stage, spaceId, tenFields);
  const tables = [table];
  let ids: string[] = [];
  if (reach === 'three') {
    const projects = await beside(stage, table);
    tables.push(projects);
    const own = await fieldIds(stage, table);
    const link = await addField(stage, table, {
      name: 'Project',
      type: 'link',
      options: { relationship: 'manyOne', foreignTableId: projects.tableId },
    });
    const back = { foreignTableId: table.tableId, linkFieldId: link.options['symmetricFieldId'] };
    const projectIds = await addRecords(
      stage,
      projects,
      Array.from({ length: count / several }, (_, at) => ({ fields: { Name: `Project ${at}` } })),
    );
    ids = await addRecords(
      stage,
      table,
      cells(person, count).map(({ fields }, at) => ({
        fields: { ...fields, Project: { id: projectIds[Math.floor(at / several)] } },
      })),
    );
    const total = await addField(stage, projects, {
      name: 'Total',
      type: 'rollup',
      options: { expression: 'sum({values})' },
      lookupOptions: { ...back, lookupFieldId: own['Number 1'] },
    });
    const seen = await addField(stage, table, {
      name: 'Project total',
      type: 'rollup',
      isLookup: true,
      lookupOptions: { foreignTableId: projects.tableId, linkFieldId: link.id, lookupFieldId: total.id },
    });
    const share = await addField(stage, table, {
      name: 'Share',
      type: 'formula',
      options: { expression: `{${own['Number 1']}} / {${seen.id}}` },
    });
    await addField(stage, projects, {
      name: 'Largest share',
      type: 'rollup',
      options: { expression: 'max({values})' },
      lookupOptions: { ...back, lookupFieldId: share.id },
    });
  } else {
    ids = await addRecords(stage, table, cells(person, count));
    if (reach !== 'plain') {
      const looking = await beside(stage, table);
      const own = await fieldIds(stage, table);
      const link = await addField(stage, looking, {
        name: 'Of',
        type: 'link',
        options: { relationship: 'manyOne', foreignTableId: table.tableId, isOneWay: true },
      });
      await addRecords(
        stage,
        looking,
        ids.map((id, at) => ({ fields: { Name: `Looking ${at}`, Of: { id } } })),
      );
      // What is shown there is written, or something else is.
      await addField(stage, looking, {
        name: 'Shown',
        type: 'number',
        isLookup: true,
        lookupOptions: {
          foreignTableId: table.tableId,
          linkFieldId: link.id,
          lookupFieldId: own[reach === 'one' ? 'Number 1' : 'Number 2'],
        },
      });
      tables.push(looking);
    }
  }
  await whenFilled(stage);
  for (const each of tables) await stage.db.query(`vacuum analyze ${tableName(each)}`);
  return { table, ids, tables };
};

/** Until no job fills a column. */
export const whenFilled = async (stage: Stage): Promise<void> => {
  for (;;) {
    const { rows } = await stage.db.query(
      `select from rowhouse.fields where computed ->> 'state' = 'settling' limit 1`,
    );
    if (rows.length === 0) return;
    await new Promise((done) => setTimeout(done, 100));
  }
};
