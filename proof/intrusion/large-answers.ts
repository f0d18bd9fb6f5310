// Small requests whose answers would be large. They are refused before they are made, or cost little.
import { createField } from '@rowhouse/contract/field.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { tableWith, type TestTable } from '../../test/support/table.ts';
import type { Attack, Scene } from './attack.ts';
import { demand, type Heard, stageOf } from './stage.ts';

/** Texts of which one character makes all of an answer twice as large in memory. */
const longText = `${'x'.repeat(989_999)}\u6f22`;

/** A record that holds all the text it may, and many that show it. */
const shownByMany =
  (count: number, take: number): Making =>
  async (table) => {
    const { call } = table;
    const far = await tableWith(table, [{ name: 'Name', type: 'longText' }]);
    const made = await call(createRecords, { params: far, body: { records: [{ fields: { Name: longText } }] } });
    const near = await tableWith(table, [{ name: 'Number', type: 'number' }]);
    const link = await call(createField, {
      params: near,
      body: { name: 'Link', type: 'link', options: { foreignTableId: far.tableId, relationship: 'manyOne' } } as never,
    });
    const lookupOptions = {
      foreignTableId: far.tableId,
      linkFieldId: link.body.id,
      lookupFieldId: far.fieldIds['Name'],
    };
    await call(createField, {
      params: near,
      body: { name: 'Text', type: 'longText', isLookup: true, lookupOptions } as never,
    });
    for (let at = 0; at < count; at += 5) {
      const records = Array.from({ length: 5 }, () => ({ fields: { Link: { id: made.body.records[0]?.id } } }));
      demandTaken(await call(createRecords, { params: near, body: { records } }));
    }
    return () => call(listRecords, { params: near, query: { take } });
  };

/** Records that say nothing, and what their fields make of it. */
const madeOf =
  (field: object): Making =>
  async (table) => {
    const own = await tableWith(table, [{ name: 'Number', type: 'number' }]);
    for (let at = 0; at < 5; at += 1) await own.call(createField, { params: own, body: { ...field } as never });
    const create = (count: number): Promise<Heard> =>
      own.call(createRecords, {
        params: own,
        body: { records: Array.from({ length: count }, () => ({ fields: {} })) },
      });
    for (let round = 0; round < 10; round += 1) demandTaken(await create(20));
    return async () => {
      const many = await create(200);
      return many.status === 400
        ? own.call(listRecords, { params: own, query: { take: 200 } })
        : { status: 599, error: { message: `200 records were answered ${many.status}` } };
    };
  };

/** Makes what a request is about, and answers how it is sent. */
type Making = (table: TestTable) => Promise<() => Promise<Heard>>;

/** Taken or refused as it is said, and it costs little. */
const answered = (name: string, refusal: string | undefined, make: Making): Attack => {
  const ready = new WeakMap<Scene, () => Promise<Heard>>();
  return {
    name,
    isMeasured: true,
    isLong: true,
    prepare: async (scene) => void ready.set(scene, await make((await stageOf(scene)).table)),
    run: async (scene) => demand(await (ready.get(scene) as () => Promise<Heard>)(), refusal),
  };
};

const demandTaken = ({ status, error }: Heard): void => {
  if (status >= 300) throw new Error(`what an attack needs was answered ${status}: ${error?.message ?? ''}`);
};

const tooLarge = 'the answer would be larger than';

export const attacks: Attack[] = [
  answered('page of 12 records that look up a text of 990,000 characters', undefined, shownByMany(15, 12)),
  answered('page of 100 records that look up a text of 990,000 characters', tooLarge, shownByMany(100, 100)),
  answered(
    'page of 200 records of five formulas that make 100,000 characters each',
    tooLarge,
    madeOf({ type: 'formula', options: { expression: 'REPT("x", 100000)' } }),
  ),
  answered(
    'page of 200 records of five default values of 100,000 characters each',
    tooLarge,
    madeOf({ type: 'singleLineText', options: { defaultValue: 'x'.repeat(100_000) } }),
  ),
];
