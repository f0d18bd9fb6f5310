// Random nets of tables, links and what is computed through them, written to by many at once while fields come and go. At rest every cell is what
// follows from the rest. The same at length, over the wire and under kill -9: `npm run proof -- links`.
import { createField } from '@rowhouse/contract/field.ts';
import { afterEach, expect, test } from 'vitest';
import { openLine } from '../../proof/client.ts';
import { noFailures } from '../../proof/failures.ts';
import { checkNet } from '../../proof/links/check.ts';
import { changeFields, layNet, look, type Net, note } from '../../proof/links/net.ts';
import { type Away, bringAllBack, comeAndGo } from '../../proof/links/trash.ts';
import { writeOnce, type Writer } from '../../proof/links/write.ts';
import { randomFrom } from '../../proof/random.ts';
import { findWrongCells } from '../../server/domain/computed/check-cells.ts';
import { limits } from '../../server/domain/computed/plan.ts';
import { cases, howMany } from '../support/cases.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { seed } from '../support/seed.ts';
import { openWorkshop } from '../support/tables.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const usual = { ...limits };
afterEach(() => void Object.assign(limits, usual));

// With the usual limits, sixteen writers and kills the proof of links does the same, in short within `npm test`.
/** `few`: every table is large, and every record has too many that depend on it. */
test.each(
  cases<[round: number, kind: string]>(
    [
      [0, 'usual'],
      [1, 'few'],
    ],
    [[1, 'few']],
  ),
)(`random writes in a random net leave nothing wrong (%i, %s limits, TEST_SEED=${seed})`, async (round, kind) => {
  if (kind === 'few') Object.assign(limits, { filledAtOnce: 2, reached: 2 });
  const random = randomFrom(seed).fork(round);
  const { owner, baseId } = await openWorkshop(world());
  const line = openLine(world().origin, owner.token);
  const net: Net = { call: line.call, baseId, sides: [], failures: noFailures(), alsoAllowed: [], statuses: new Map() };
  await layNet(net, random, { tables: 2 + random.below(2), links: 3 + random.below(3), computed: 8, records: 6 });
  expect(net.failures.list).toEqual([]);
  const work = async (mark: number): Promise<void> => {
    const writer: Writer = { net, random: random.fork(mark), mark: `w${mark}`, deletions: [], turn: 0 };
    for (let turn = 0; turn < howMany(14, 6); turn += 1) await writeOnce(writer);
  };
  const change = async (): Promise<void> => {
    const own = random.fork(100);
    for (let turn = 0; turn < howMany(6, 3); turn += 1) await changeFields(net, own);
  };
  await Promise.all([...Array.from({ length: 8 }, (_, at) => work(at)), change()]);
  await look(net);
  await checkNet(net);
  await jobsDone(world().db);
  await look(net);
  net.failures.none(
    'fields that are still pending',
    net.sides.flatMap(({ fields }) => fields).filter(({ isPending }) => isPending),
  );
  line.hangUp();
  expect(net.failures.list).toEqual([]);
  expect(await findWrongCells(world().db, baseId)).toEqual([]);
  expect((net.statuses.get(200) ?? 0) + (net.statuses.get(201) ?? 0)).toBeGreaterThan(howMany(40, 20));
});

/** Each in a formula together with a number that is written: what it does not show any more must not come back through it. */
const tellComputed = async (net: Net): Promise<void> => {
  for (const { tableId, amountId, fields } of net.sides) {
    for (const { id } of fields.filter(
      ({ type, isLookup, isComputed }) =>
        type === 'link' || isLookup === true || (isComputed === true && type !== 'formula'),
    )) {
      note(
        net,
        'adding a formula',
        await net.call(createField, {
          params: { tableId },
          body: { type: 'formula', options: { expression: `{${id}} & ": " & {${amountId}}` } },
        }),
      );
    }
  }
  await look(net);
};

test.each(
  cases<[round: number, kind: string]>(
    [
      [2, 'usual'],
      [3, 'few'],
    ],
    [[3, 'few']],
  ),
)(
  `links, lookups and tables go and come back between writes, and nothing is wrong after any of it (%i, %s limits, TEST_SEED=${seed})`,
  async (round, kind) => {
    if (kind === 'few') Object.assign(limits, { filledAtOnce: 2, reached: 2 });
    const random = randomFrom(seed).fork(round);
    const { owner, baseId } = await openWorkshop(world());
    const line = openLine(world().origin, owner.token);
    const net: Net = {
      call: line.call,
      baseId,
      sides: [],
      failures: noFailures(),
      alsoAllowed: [],
      statuses: new Map(),
    };
    await layNet(net, random, { tables: 3, links: 4, computed: 6, records: 5 });
    await tellComputed(net);
    const writer: Writer = { net, random: random.fork(1), mark: 'w', deletions: [], turn: 0 };
    const away: Away = { fields: [], tables: [] };
    const allRight = async (after: string): Promise<void> =>
      expect([after, net.failures.list, await findWrongCells(world().db, baseId)]).toEqual([after, [], []]);
    for (let turn = 0; turn < howMany(12, 5); turn += 1) {
      await comeAndGo(net, random, away);
      await allRight(`change ${turn}`);
      for (let write = 0; write < 3; write += 1) await writeOnce(writer);
      await allRight(`writes ${turn}`);
    }
    await bringAllBack(net, random, away);
    await jobsDone(world().db);
    await checkNet(net);
    line.hangUp();
    await allRight('all came back');
  },
);
