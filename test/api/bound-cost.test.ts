// What rules cost those whom they do not bind: nothing. Their statements are the same bytes, whether a base has rules, had some or never had any; and those of somebody who is bound are no more.
import { getAggregation, getRowCount } from '@rowhouse/contract/aggregation.ts';
import { setAuthorityMatrixStatus } from '@rowhouse/contract/authority-matrix.ts';
import { listTableHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, getRecord, listRecords, updateRecords } from '@rowhouse/contract/record.ts';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { everyAction, setRoles, when } from '../support/matrix.ts';
import type { Person } from '../support/people.ts';
import { plansWith } from '../support/plans.ts';
import { openWorkshop } from '../support/tables.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({}, { plans: plansWith({ free: { advancedPermissionsEnable: true } }) });

test('statements of those whom no rules bind are the same bytes, and no others are more', async () => {
  const { owner, baseId, table } = await openWorkshop(world());
  const made = await table({
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Amount', type: 'number' },
    ],
    records: [{ fields: { Name: 'a', Amount: 1 } }, { fields: { Name: 'b', Amount: 2 } }],
  });
  const [name, amount] = made.fields.map(({ id }) => id) as [string, string];
  const params = { tableId: made.id };
  const [one, two] = made.records.map(({ id }) => id) as [string, string];
  const creator = await member(world(), owner, baseId, 'creator');

  const requests: ((who: Person) => Promise<{ status: number; body?: unknown }>)[] = [
    (who) => who.call(listRecords, { params, query: {} }),
    (who) =>
      who.call(listRecords, {
        params,
        query: {
          orderBy: JSON.stringify([{ fieldId: amount, order: 'desc' }]),
          filter: JSON.stringify(when(name, 'contains', 'a')),
        } as never,
      }),
    (who) => who.call(getRecord, { params: { ...params, recordId: one }, query: {} }),
    (who) => who.call(getRowCount, { params, query: {} }),
    (who) => who.call(getAggregation, { params, query: { 'field[sum]': [amount] } as never }),
    (who) => who.call(listTableHistory, { params, query: {} }),
    (who) =>
      who.call(updateRecords, {
        params,
        body: { fieldKeyType: 'id', records: [one, two].map((id) => ({ id, fields: { [amount]: Math.random() } })) },
      } as never),
    async (who) => {
      const body = { fieldKeyType: 'id', records: [{ fields: { [name]: 'new', [amount]: 1 } }] };
      const created = await who.call(createRecords, { params, body } as never);
      const ids = (created.body as unknown as { records: { id: string }[] }).records.map(({ id }) => id);
      return who.call(deleteRecords, { params, query: { recordIds: ids } } as never);
    },
  ];
  const ofTable = [made.dbTableName.replace('.', '"."'), `__history_${made.id}`];
  const ids = /\b(rec|opr)[0-9A-Za-z]{16}\b/g;
  const statements = async (who: Person): Promise<string[]> => {
    const found: string[] = [];
    for (const request of requests) {
      await request(who);
      const spy = vi.spyOn(pg.Client.prototype, 'query');
      try {
        expect((await request(who)).status).toBeLessThan(300);
        const texts = spy.mock.calls.map(([given]: unknown[]) =>
          typeof given === 'string' ? given : ((given as { text?: string }).text ?? ''),
        );
        // Not what is done by the side, such as what the feed reads.
        found.push(
          ...texts
            .filter((text) => ofTable.some((one) => text.includes(one)))
            .map((text) => text.replaceAll(ids, '$1…')),
        );
      } finally {
        spy.mockRestore();
      }
    }
    return found;
  };
  const never = await statements(owner);
  expect(never.length).toBeGreaterThanOrEqual(requests.length);
  expect(await statements(creator)).toEqual(never);
  const rules = (grants: readonly object[]) =>
    setRoles(owner, baseId, [{ members: [creator.userId], tables: { [made.id]: { grants: grants as never } } }]);
  await rules([{ actions: everyAction, when: when(amount, 'isNotEmpty', null) }]);
  expect(await statements(owner)).toEqual(never);
  const bound = await statements(creator);
  expect(bound).toHaveLength(never.length);
  expect(bound).not.toEqual(never);
  // Somebody whose roles grant everything is asked nothing.
  await rules([{ actions: everyAction }]);
  expect(await statements(creator)).toEqual(never);
  await owner.call(setAuthorityMatrixStatus, { params: { baseId }, body: { enabled: false } });
  expect(await statements(creator)).toEqual(never);
});
