// What the operator does with plans and counts on the command line.
import { getSubscription } from '@rowhouse/contract/billing.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { type CommandOutcome, rowhouse as runCommand } from '../support/command.ts';
import { ground, tableWith } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ plansFile: 'default' });

// The command line reads the same setting as the server.
beforeAll(() => void vi.stubEnv('ROWHOUSE_PLANS', 'default'));
// Other files run in the same process.
afterAll(() => void vi.unstubAllEnvs());

const rowhouse = (...args: string[]): Promise<CommandOutcome> => runCommand(world().databaseUrl, ...args);

test('rowhouse space plan sets and shows the plan of a space', async () => {
  const { spaceId, call } = await ground(world());
  const made = await rowhouse(
    'space',
    'plan',
    spaceId,
    '--level',
    'plus',
    '--interval',
    'year',
    '--seats',
    '5',
    '--cancel-at',
    '2099-01-01',
    '--json',
  );
  expect(made.err).toBe('');
  expect(JSON.parse(made.out)).toMatchObject([
    {
      level: 'plus',
      interval: 'year',
      seats: '5',
      status: 'active',
      rows: '500000',
      'cancelled at': '2099-01-01T00:00:00.000Z',
    },
  ]);
  expect((await call(getSubscription, { params: { spaceId } })).body.base).toMatchObject({
    level: 'plus',
    interval: 'year',
    quantity: 5,
  });
  expect(JSON.parse((await rowhouse('space', 'plan', spaceId, '--keep', '--json')).out)).toMatchObject([
    { 'cancelled at': '-' },
  ]);
  expect((await rowhouse('space', 'plan', spaceId)).out).toContain('plus');
});

test('rowhouse space plan says what is wrong', async () => {
  const { spaceId } = await ground(world());
  expect((await rowhouse('space', 'plan', spaceId, '--status', 'happy')).err).toContain('--status must be one of');
  expect((await rowhouse('space', 'plan', spaceId, '--level', 'golden')).err).toContain('There is no plan golden');
  const unknown = await rowhouse('space', 'plan', 'spc0000000000000000', '--level', 'pro');
  expect(unknown.err).toContain('not found');
  expect(unknown.code).not.toBe(0);
});

test('rowhouse doctor finds wrong counts, and corrects them with --repair', async () => {
  const table = await tableWith(await ground(world()), [{ name: 'Text', type: 'singleLineText' }]);
  await table.call(createRecords, { params: table, body: { records: [{ fields: {} }] } });
  await world().db.query(
    sql`update rowhouse.row_quota set used = used + 4 where slot = 1 and space_id = ${table.spaceId}`,
  );
  expect((await rowhouse('doctor')).out).toContain(`space ${table.spaceId} has 1 records, but 5 are counted`);
  expect((await rowhouse('doctor', '--repair')).out).toContain('corrected');
  expect((await rowhouse('doctor')).out).toContain('the records of every space are counted right');
});
