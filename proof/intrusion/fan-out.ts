// Small writes that reach very many records through links.
import { createField } from '@rowhouse/contract/field.ts';
import { createRecords, deleteRecords, getRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import { type Attack, type Scene, unless } from './attack.ts';

const count = 100_000;
const atOnce = 5_000;

interface Hub {
  /** Whose only record all records of `spokes` are linked to. */
  hubs: TestTable;
  spokes: TestTable;
  hubId: string;
  /** The operation that deleted it. */
  deletedBy: string;
}

const stages = new WeakMap<Scene, Promise<Hub>>();

const build = async ({ ground }: Scene): Promise<Hub> => {
  const hubs = await tableWith(await newGround(ground), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Number', type: 'number' },
  ]);
  const spokes = await tableWith(hubs, [{ name: 'Name', type: 'singleLineText' }]);
  const hubId = (await hubs.call(createRecords, { params: hubs, body: { records: [{ fields: { Name: 'Hub' } }] } }))
    .body.records[0]?.id as string;
  const link = await spokes.call(createField, {
    params: spokes,
    body: { name: 'Hub', type: 'link', options: { foreignTableId: hubs.tableId, relationship: 'manyOne' } } as never,
  });
  const lookupOptions = {
    foreignTableId: hubs.tableId,
    linkFieldId: link.body.id,
    lookupFieldId: hubs.fieldIds['Number'],
  };
  await spokes.call(createField, {
    params: spokes,
    body: { name: 'Number', type: 'number', isLookup: true, lookupOptions } as never,
  });
  for (let made = 0; made < count; made += atOnce) {
    const records = Array.from({ length: atOnce }, () => ({ fields: { Hub: { id: hubId } } }));
    const { status, error } = await spokes.call(createRecords, { params: spokes, body: { records } });
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(error).slice(0, 300)}`);
  }
  return { hubs, spokes, hubId, deletedBy: '' };
};

const stageOf = (scene: Scene): Promise<Hub> => {
  const found = stages.get(scene) ?? build(scene);
  stages.set(scene, found);
  return found;
};

/** The lookups of the first and the last records. */
const shown = async ({ spokes }: Hub): Promise<string> => {
  const at = async (skip: number) =>
    (await spokes.call(listRecords, { params: spokes, query: { skip, take: 1 } })).body.records[0]?.fields;
  return JSON.stringify(
    [await at(0), await at(count - 1)].map((fields) => [
      fields?.['Number'],
      (fields?.['Hub'] as { title?: string })?.title,
    ]),
  );
};

const change = (name: string, act: (hub: Hub) => Promise<string[]>): Attack => ({
  name: `${count.toLocaleString('en')} linked records: ${name}`,
  isMeasured: true,
  isLong: true,
  run: async (scene) => act(await stageOf(scene)),
});

const write = ({ hubs, hubId }: Hub, fields: Record<string, unknown>) =>
  hubs.call(updateRecord, { params: { ...hubs, recordId: hubId }, body: { record: { fields } } });

export const attacks: Attack[] = [
  {
    name: `${count.toLocaleString('en')} records are linked to one`,
    isLong: true,
    run: async (scene) => unless((await shown(await stageOf(scene))).includes('"Hub"'), 'they are not linked'),
  },
  change('the one is renamed', async (hub) => {
    const { status } = await write(hub, { Name: 'New' });
    return [
      ...unless(status === 200, `answered ${status}`),
      ...unless((await shown(hub)).includes('[null,"New"],[null,"New"]'), await shown(hub)),
    ];
  }),
  change('what they look up changes 30 times at once', async (hub) => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => write(hub, { Number: at })));
    const statuses = new Set(answers.map(({ status }) => status));
    const { status } = await write(hub, { Number: 77 });
    return [
      ...unless(
        [...statuses].every((one) => one === 200 || one === 409 || one === 503),
        `answered ${[...statuses].join()}`,
      ),
      ...unless(
        status === 200 && (await shown(hub)).includes('[77,"New"],[77,"New"]'),
        `${status}: ${await shown(hub)}`,
      ),
    ];
  }),
  change('the one is read with all of its links', async ({ hubs, hubId }) => {
    const { status } = await hubs.call(getRecord, { params: { ...hubs, recordId: hubId } });
    return unless(status === 200 || status === 400, `answered ${status}`);
  }),
  change('the one is deleted', async (hub) => {
    const { hubs, hubId } = hub;
    const gone = await hubs.call(deleteRecords, { params: hubs, query: { recordIds: [hubId] } });
    hub.deletedBy = gone.headers.get('x-operation-id') as string;
    const without = await shown(hub);
    return unless(gone.status === 200 && without === '[[null,null],[null,null]]', `${gone.status}: ${without}`);
  }),
  change('the one is restored', async ({ hubs, hubId, deletedBy }) => {
    const { status } = await hubs.call(restoreHistory, { params: hubs, body: { operationId: deletedBy } });
    const back = await hubs.call(getRecord, { params: { ...hubs, recordId: hubId }, query: { projection: ['Name'] } });
    return unless(status === 200 && back.status === 200, `restoring answered ${status}, reading ${back.status}`);
  }),
];
