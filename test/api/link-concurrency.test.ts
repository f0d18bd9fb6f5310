// Many who link, rename, create and delete at the same time: when all have been answered, every cell is what follows from the rest, and the history of
// each link cell is a chain.
import { createField } from '@rowhouse/contract/field.ts';
import { createRecords, deleteRecord, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { beforeAll, expect, test } from 'vitest';
import { randomFrom } from '../../proof/random.ts';
import { findWrongCells } from '../../server/domain/computed/check-cells.ts';
import { ensureFieldVersions } from '../../server/domain/field/field-version.sql.ts';
import { chainFaults, linkedOnly } from '../support/chain.ts';
import { howMany } from '../support/cases.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { countWaiting } from '../support/waiting.sql.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop(world());
});

interface Side {
  tableId: string;
  nameId: string;
  amountId: string;
  linkIds: { id: string; isMultiple: boolean; to: number }[];
}

const makeTable = async (name: string): Promise<Side> => {
  const made = await shop.owner.call(createTable, {
    params: { baseId: shop.baseId },
    body: {
      name,
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Amount' },
      ],
      records: Array.from({ length: 6 }, (_, at) => ({ fields: { Name: `${name} ${at}` } })),
    },
  });
  return {
    tableId: made.body.id,
    nameId: made.body.fields[0]?.id as string,
    amountId: made.body.fields[1]?.id as string,
    linkIds: [],
  };
};

const join = async (
  sides: readonly Side[],
  from: number,
  to: number,
  relationship: string,
  isOneWay = false,
): Promise<void> => {
  const [own, other] = [sides[from] as Side, sides[to] as Side];
  const { body, status } = await shop.owner.call(createField, {
    params: { tableId: own.tableId },
    body: { type: 'link', options: { relationship, foreignTableId: other.tableId, isOneWay } },
  });
  expect(status).toBe(201);
  own.linkIds.push({ id: body.id, isMultiple: body.isMultipleCellValue === true, to });
  if (!isOneWay)
    other.linkIds.push({
      id: body.options.symmetricFieldId as string,
      isMultiple: relationship === 'manyOne' || relationship === 'manyMany',
      to: from,
    });
};

test('twelve writers on linked tables leave nothing wrong, and none of them fails but for what it asked', async () => {
  const sides = [await makeTable('A'), await makeTable('B'), await makeTable('C')];
  await join(sides, 0, 1, 'manyOne');
  await join(sides, 1, 2, 'manyMany');
  await join(sides, 2, 0, 'oneOne');
  await join(sides, 0, 2, 'manyMany', true);
  await join(sides, 1, 1, 'oneMany');
  // A title that is computed from a link: what is renamed in one table reaches two others.
  const b = sides[1] as Side;
  const formula = await shop.owner.call(createField, {
    params: { tableId: b.tableId },
    body: {
      type: 'formula',
      name: 'Known as',
      options: { expression: `{${b.nameId}} & ": " & {${b.linkIds[0]?.id}}` },
    },
  });
  expect(formula.status).toBe(201);
  // Sums of sums, through three tables, and a lookup of a formula over them.
  const looking = async (from: number, at: number, body: object, lookupFieldId: string): Promise<string> => {
    const { tableId, linkIds } = sides[from] as Side;
    const link = linkIds[at] as Side['linkIds'][number];
    const made = await shop.owner.call(createField, {
      params: { tableId },
      body: {
        ...body,
        lookupOptions: { foreignTableId: (sides[link.to] as Side).tableId, linkFieldId: link.id, lookupFieldId },
      } as never,
    });
    expect([made.status, made.error?.message]).toEqual([201, undefined]);
    return made.body.id;
  };
  const sum = { type: 'rollup', options: { expression: 'sum({values})' } };
  const ofA = await looking(1, 0, sum, (sides[0] as Side).amountId);
  const doubled = await shop.owner.call(createField, {
    params: { tableId: b.tableId },
    body: { type: 'formula', name: 'Doubled', options: { expression: `{${ofA}} * 2 + {${b.amountId}}` } },
  });
  const ofB = await looking(2, 0, sum, doubled.body.id);
  await looking(0, 1, sum, ofB);
  await looking(2, 0, { type: 'formula', isLookup: true }, doubled.body.id);
  await looking(0, 0, { type: 'singleLineText', isLookup: true }, b.nameId);
  const ids = await Promise.all(
    sides.map(async ({ tableId }) =>
      (await shop.owner.call(listRecords, { params: { tableId }, query: {} })).body.records.map(({ id }) => id),
    ),
  );
  const statuses = new Map<number, number>();
  const note = ({ status }: { status: number }): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const turns = howMany(20, 7);
  const writer = async (seed: number): Promise<void> => {
    const { number: random, pick, below } = randomFrom(seed);
    for (let turn = 0; turn < turns; turn += 1) {
      const at = below(sides.length);
      const { tableId, nameId, amountId, linkIds } = sides[at] as Side;
      const own = ids[at] as string[];
      const link = pick(linkIds);
      const target = (): { id: string } => ({ id: pick(ids[link.to] as string[]) });
      const value =
        random() < 0.2
          ? null
          : link.isMultiple
            ? [...new Map([target(), target()].map((one) => [one.id, one])).values()]
            : target();
      const dice = random();
      if (dice < 0.15)
        note(
          await shop.owner.call(updateRecord, {
            params: { tableId, recordId: pick(own) },
            body: {
              fieldKeyType: 'id',
              record: { fields: { [nameId]: `renamed ${seed} ${turn}`, [amountId]: below(100) / 10 } },
            },
          }),
        );
      else if (dice < 0.25) {
        const made = await shop.owner.call(createRecords, {
          params: { tableId },
          body: { fieldKeyType: 'id', records: [{ fields: { [nameId]: `new ${seed} ${turn}`, [link.id]: value } }] },
        });
        note(made);
        if (made.status === 201) own.push(made.body.records[0]?.id as string);
      } else if (dice < 0.3 && own.length > 4)
        note(
          await shop.owner.call(deleteRecord, {
            params: { tableId, recordId: own.splice(below(own.length), 1)[0] as string },
          }),
        );
      else
        note(
          await shop.owner.call(updateRecord, {
            params: { tableId, recordId: pick(own) },
            body: {
              fieldKeyType: 'id',
              record: { fields: { [link.id]: value, ...(random() < 0.3 ? { [nameId]: `both ${seed} ${turn}` } : {}) } },
            },
          }),
        );
    }
  };
  await Promise.all(Array.from({ length: 12 }, (_, seed) => writer(seed + 1)));
  // Taken or missing records are refused; nothing else is.
  expect([...statuses.keys()].filter((status) => ![200, 201, 400, 404].includes(status))).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(2 * turns);
  expect(await findWrongCells(world().db, shop.baseId)).toEqual([]);
  for (const { tableId } of sides)
    expect(await chainFaults({ call: shop.owner.call, tableId }, linkedOnly)).toEqual([]);
});

test('what fields were is noted by two writes at once in any order, and neither waits for the other in a circle', async () => {
  const { tableId } = await makeTable('Noted');
  const note = (fieldIds: string[]) =>
    ensureFieldVersions(
      world().db,
      { id: tableId, baseId: shop.baseId },
      fieldIds.map((fieldId) => ({
        fieldId,
        version: 1,
        meta: { name: '', type: 'number', cellValueType: 'number', options: {} },
      })),
    );
  const blocker = await world().db.dedicated();
  await blocker.query('begin');
  await blocker.query(
    `insert into "${shop.baseId}".__field_version (table_id, field_id, version, meta) values ($1, 'fldB', 1, '{}')`,
    [tableId],
  );
  const both = Promise.all([note(['fldA', 'fldB', 'fldC']), note(['fldC', 'fldB', 'fldA'])]);
  await expect.poll(() => countWaiting(world().db)).toBe(2);
  await blocker.query('rollback');
  await blocker.end();
  const [one, other] = await both;
  expect([...other].toSorted()).toEqual([...one].toSorted());
});
