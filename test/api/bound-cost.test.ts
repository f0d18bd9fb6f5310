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
        // Not what is done by the side, such as what the feed reads, or a history that is swept.
        found.push(
          ...texts
            .filter((text) => !text.startsWith('with expired') && ofTable.some((one) => text.includes(one)))
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

test('people with the same roles share the text of a list, and each of them gets their own records', async () => {
  const { owner, baseId, table } = await openWorkshop(world());
  const [ada, bob] = [await member(world(), owner, baseId, 'editor'), await member(world(), owner, baseId, 'editor')];
  const made = await table({
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Owner', type: 'user' },
      { name: 'Team', type: 'user', options: { isMultiple: true } },
      { name: 'Due', type: 'date' },
    ] as never,
    records: [],
  });
  const [, ownerField, team, due] = made.fields.map(({ id }) => id) as [string, string, string, string];
  const params = { tableId: made.id };
  const day = 86_400_000;
  const create = async (name: string, fields: object): Promise<void> => {
    const body = { typecast: true, records: [{ fields: { Name: name, ...fields } }] };
    expect((await owner.call(createRecords, { params, body } as never)).status).toBe(201);
  };
  const named = ({ userId }: Person): { id: string } => ({ id: userId });
  await create('of nobody', {});
  await create('of Ada', { Owner: named(ada) });
  await create('of Bob', { Owner: named(bob) });
  await create('both', { Team: [named(ada), named(bob)] });
  await create('Bob alone', { Team: [named(bob)] });
  await create('late', { Due: new Date(Date.now() - 3 * day).toISOString() });
  await create('soon', { Due: new Date(Date.now() + 3 * day).toISOString() });
  const grants = [
    when(ownerField, 'is', 'Me'),
    when(team, 'isExactly', ['Me']),
    when(due, 'isBefore', { mode: 'today', timeZone: 'utc' }),
  ].map((condition) => ({ actions: ['record|read'], when: condition }));
  // Cells under a condition of their own are masked by the same parameters.
  const rules = [...grants, { actions: ['record|read'], fields: [due], when: when(team, 'hasAnyOf', ['Me']) }];
  const members = [ada.userId, bob.userId];
  await setRoles(owner, baseId, [{ members, tables: { [made.id]: { grants: rules as never } } }]);
  const lists = async (who: Person): Promise<{ texts: string[]; names: string[] }> => {
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    try {
      const { status, body } = await who.call(listRecords, { params, query: {} });
      expect(status).toBe(200);
      const texts = spy.mock.calls
        .map(([given]: unknown[]) => (given as { text?: string }).text ?? '')
        .filter((text) => text.includes('as materialized') && text.includes(made.dbTableName.replace('.', '"."')));
      return { texts, names: body.records.map(({ fields }) => String(fields['Name'] ?? '-')).toSorted() };
    } finally {
      spy.mockRestore();
    }
  };
  const first = await lists(ada);
  expect(first.names).toEqual(['-', 'late', 'of Ada'].toSorted());
  const second = await lists(bob);
  expect(second.names).toEqual(['-', 'Bob alone', 'late', 'of Bob'].toSorted());
  expect(first.texts).toHaveLength(1);
  expect(second.texts).toEqual(first.texts);
  expect(await lists(ada)).toEqual(first);
});

test('people with the same roles share the text of a write, and each of them writes by their own conditions', async () => {
  const { owner, baseId, table } = await openWorkshop(world());
  const [ada, bob] = [await member(world(), owner, baseId, 'editor'), await member(world(), owner, baseId, 'editor')];
  const made = await table({
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Owner', type: 'user' },
    ] as never,
    records: [],
  });
  const [, ownerField] = made.fields.map(({ id }) => id) as [string, string];
  const params = { tableId: made.id };
  const named = ({ userId }: Person): { id: string } => ({ id: userId });
  const records = [ada, bob].map((who) => ({ fields: { Name: 'at first', Owner: named(who) } }));
  const { body } = await owner.call(createRecords, { params, body: { records } } as never);
  const [ofAda, ofBob] = body.records.map(({ id }) => id) as [string, string];
  const mine = when(ownerField, 'is', 'Me');
  const update = async (who: Person, ids: readonly string[], fields: object = { Name: 'changed' }) => {
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    try {
      const sent = { records: ids.map((id) => ({ id, fields })) };
      const { status } = await who.call(updateRecords, { params, body: sent } as never);
      const asked = spy.mock.calls.map(([given]: unknown[]) => given as { text?: string; name?: string });
      const writes = asked.filter(
        ({ text = '' }) => text.startsWith('with upd as') && text.includes(made.dbTableName.replace('.', '"."')),
      );
      return { status, texts: writes.map(({ text }) => text), names: writes.map(({ name }) => typeof name) };
    } finally {
      spy.mockRestore();
    }
  };
  const rules = (...grants: object[][]) =>
    setRoles(
      owner,
      baseId,
      grants.map((own, at) => ({
        members: grants.length === 1 ? [ada.userId, bob.userId] : [[ada, bob][at]?.userId as string],
        tables: { [made.id]: { grants: own as never } },
      })),
    );
  const reading = { actions: ['record|read'] };
  // What is seen, and what may be written of it, before and afterwards.
  for (const grants of [
    [{ actions: everyAction, when: mine, after: mine }],
    [reading, { actions: ['record|update'], when: mine }],
    [reading, { actions: ['record|update'], after: mine }],
  ]) {
    await rules(grants);
    // What was remembered of the rules before is decided again.
    for (const [who, id] of [
      [ada, ofAda],
      [bob, ofBob],
    ] as const)
      expect((await update(who, [id])).status).toBe(200);
    const first = await update(ada, [ofAda]);
    expect(first).toMatchObject({ status: 200, names: ['string'] });
    expect(await update(bob, [ofBob])).toEqual(first);
    for (const [who, id] of [
      [ada, ofBob],
      [bob, ofAda],
    ] as const)
      expect([403, 404]).toContain((await update(who, [id])).status);
    expect((await update(ada, [ofAda, ofBob])).status).not.toBe(200);
    expect((await update(ada, [ofAda])).status).toBe(200);
  }
  // Both see everything, and may write different things: their statements are two.
  await rules(
    [reading, { actions: ['record|update'], when: mine }],
    [reading, { actions: ['record|update'], when: when(ownerField, 'isNotEmpty', null) }],
  );
  for (let round = 0; round < 2; round += 1) {
    expect((await update(bob, [ofAda, ofBob])).status).toBe(200);
    expect((await update(ada, [ofBob])).status).toBe(403);
    expect((await update(ada, [ofAda])).status).toBe(200);
  }
});
