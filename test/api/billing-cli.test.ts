// What the operator does with plans and counts on the command line.
import { getSubscription } from '@rowhouse/contract/billing.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { expect, test, vi } from 'vitest';
import { run } from '../../server/cli/run.ts';
import { sql } from '../../server/db/sql.ts';
import { ground, tableWith } from '../support/table.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** The command line in this process: its start alone would take longer than the tests. */
const rowhouse = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
  const [out, err] = [vi.spyOn(console, 'log').mockImplementation(() => undefined), vi.spyOn(console, 'error').mockImplementation(() => undefined)];
  const before = process.env['DATABASE_URL'];
  process.env['DATABASE_URL'] = world().databaseUrl;
  try {
    const code = await run(args);
    const textOf = (spy: typeof out): string => spy.mock.calls.map((call) => String(call[0])).join('\n');
    return { code, out: textOf(out), err: textOf(err) };
  } finally {
    if (before === undefined) delete process.env['DATABASE_URL'];
    else process.env['DATABASE_URL'] = before;
    out.mockRestore();
    err.mockRestore();
  }
};

test('rowhouse space plan sets and shows the plan of a space', async () => {
  const { spaceId, call } = await ground(world());
  const made = await rowhouse('space', 'plan', spaceId, '--level', 'plus', '--interval', 'year', '--seats', '5', '--cancel-at', '2099-01-01', '--json');
  expect(made.err).toBe('');
  expect(JSON.parse(made.out)).toMatchObject([{ level: 'plus', interval: 'year', seats: '5', status: 'active', rows: '500000', 'cancelled at': '2099-01-01T00:00:00.000Z' }]);
  expect((await call(getSubscription, { params: { spaceId } })).body.base).toMatchObject({ level: 'plus', interval: 'year', quantity: 5 });
  expect(JSON.parse((await rowhouse('space', 'plan', spaceId, '--keep', '--json')).out)).toMatchObject([{ 'cancelled at': '-' }]);
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
  await world().db.query(sql`update rowhouse.row_quota set used = used + 4 where slot = 1 and space_id = ${table.spaceId}`);
  expect((await rowhouse('doctor')).out).toContain(`space ${table.spaceId} has 1 records, but 5 are counted`);
  expect((await rowhouse('doctor', '--repair')).out).toContain('corrected');
  expect((await rowhouse('doctor')).out).toContain('the records of every space are counted right');
});
