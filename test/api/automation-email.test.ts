// The e-mail step: each receiver gets it once, as far as anybody can know.
import { cancelAutomationRun, listAutomationRuns, resumeAutomationRun } from '@rowhouse/contract/automation.ts';
import type { Step } from '@rowhouse/contract/automation-definition.ts';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { openAutomations, until } from '../support/automations.ts';
import { openMailServer } from '../support/mail-server.ts';
import { useWorld } from '../support/world.ts';

const mail = await openMailServer();
afterAll(() => mail.close());
const world = useWorld({ smtpUrl: mail.url, smtpFrom: 'Rowhouse <rowhouse@example.com>' });

const tells = (...to: string[]): Step => ({
  type: 'sendEmail',
  id: 'mail',
  to: to.join(', '),
  subject: { template: 'Order {trigger.Name}' },
  body: { template: 'It is about {trigger.Count} pieces.' },
});

test('an e-mail goes to each receiver once, also when one of them is refused and the run is resumed', async () => {
  const { owner, baseId, orders, create, automation, ended } = await openAutomations(world());
  const [first, second, third] = ['first', 'second', 'third'].map((name) => `${name}-${orders.id}@example.com`) as [
    string,
    string,
    string,
  ];
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [tells(first, second, third)]);
  mail.unknown.add(second);
  await create({ Name: 'one', Count: 5 });
  const [failed] = await ended(made.id);
  expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('no such person') });
  expect([first, second, third].map((address) => mail.countTo(address))).toEqual([1, 0, 0]);
  mail.unknown.delete(second);
  const params = { baseId, automationId: made.id, runId: failed?.id as string };
  expect((await owner.call(resumeAutomationRun, { params })).status).toBe(200);
  const done = await until(async () => {
    const [run] = await ended(made.id);
    return run?.state === 'success' ? run : undefined;
  });
  expect(done.steps[0]).toMatchObject({ state: 'success', output: { sent: [first, second, third] } });
  expect([first, second, third].map((address) => mail.countTo(address))).toEqual([1, 1, 1]);
  expect(mail.allTo(third)[0]).toMatch(/^Subject: Order one$/m);
  expect(mail.allTo(third)[0]).toContain('It is about 5 pieces.');
});

test('a mail server that hangs up is asked again, with the same Message-ID, for the receivers that are left', async () => {
  const { orders, create, automation, ended, runs } = await openAutomations(world());
  const [first, second] = ['first', 'second'].map((name) => `${name}-${orders.id}@example.com`) as [string, string];
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [tells(first, second)]);
  mail.hangUp = true;
  await create({ Name: 'two', Count: 5 });
  await until(async () => (await runs(made.id))[0]?.error !== undefined);
  // The pause before the next attempt is over.
  await until(async () => {
    await world().db.query(
      sql`with due as (update rowhouse.automation_runs set due_time = now() where automation_id = ${made.id} and attempts = 1)
          update rowhouse.jobs set due_time = now() where kind = 'run-automations' and state = 'waiting'`,
    );
    return (await runs(made.id))[0]?.endedTime !== undefined;
  });
  const [run] = await ended(made.id);
  expect(run).toMatchObject({ state: 'success' });
  expect(run?.steps[0]?.attempts).toBeGreaterThan(1);
  // Whether the first one has got it, nobody knows: it may come twice, under one id.
  expect(new Set(mail.allTo(first).map((text) => /^Message-ID: (.*)$/im.exec(text)?.[1])).size).toBe(1);
  expect(mail.countTo(second)).toBe(1);
});

test('a canceled run sends to nobody who has not got it', async () => {
  const { owner, baseId, orders, create, automation, runs } = await openAutomations(world());
  const made = await automation({ type: 'recordCreated', tableId: orders.id }, [
    { type: 'wait', id: 'pause', seconds: 3_600 },
    tells(`never-${orders.id}@example.com`),
  ]);
  await create({ Name: 'three' });
  const [run] = await until(async () => {
    const found = await runs(made.id);
    return found[0]?.state === 'running' ? found : undefined;
  });
  const params = { baseId, automationId: made.id };
  expect((await owner.call(cancelAutomationRun, { params: { ...params, runId: run?.id as string } })).status).toBe(200);
  const { body } = await owner.call(listAutomationRuns, { params, query: { state: 'canceled' } });
  expect(body.runs).toHaveLength(1);
  expect(mail.countTo(`never-${orders.id}@example.com`)).toBe(0);
});
