// When all is done a server does nothing but what it does from time to time: no job makes the next one for ever.
import { setTimeout as sleep } from 'node:timers/promises';
import { deleteBase } from '@rowhouse/contract/base.ts';
import { createField } from '@rowhouse/contract/field.ts';
import { createWebhook, deleteWebhook } from '@rowhouse/contract/webhook.ts';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { openAutomations, until } from '../support/automations.ts';
import { jobsDone } from '../support/jobs.sql.ts';
import { startReceiver } from '../support/receiver.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ webhookNetworks: ['127.0.0.0/8'] });

/** Those that were ever added, however soon they were done. */
const jobsSoFar = async (): Promise<number> =>
  (await world().db.query<{ last: number }>(sql`select last_value::int as last from rowhouse.jobs_seq_seq`))[0]
    ?.last as number;

test('a server adds no jobs while nothing happens: after automations, webhooks, formulas, and with a base in the trash', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const [active, trashed] = [await openAutomations(world()), await openAutomations(world())];
  for (const { owner, baseId, orders, automation, create, ended, logs } of [active, trashed]) {
    const webhook = { name: 'All', url: receiver.url, events: ['record.created' as const] };
    await owner.call(createWebhook, { params: { baseId }, body: webhook });
    const gone = await owner.call(createWebhook, { params: { baseId }, body: webhook });
    const made = await automation({ type: 'recordCreated', tableId: orders.id }, [logs('{trigger.Name}')]);
    await automation({ type: 'recordCreated', tableId: orders.id }, [
      { type: 'wait', id: 'pause', seconds: 3_600 },
      logs('later'),
    ]);
    await create({ Name: 'a' }, { Name: 'b' });
    await owner.call(createField, {
      params: { tableId: orders.id },
      body: { type: 'formula', options: { expression: '{Name} & "!"' } },
    });
    await ended(made.id, 2);
    await owner.call(deleteWebhook, { params: { baseId, webhookId: gone.body.id } });
  }
  await until(() => receiver.received.length >= 4);
  await trashed.owner.call(deleteBase, { params: { baseId: trashed.baseId } });
  // What waits in it is due: nobody does it, and nobody asks for it again and again.
  await world().db.query(
    sql`update rowhouse.automation_runs set due_time = now() where base_id = ${trashed.baseId} and state = 'running'`,
  );
  await world().db.query(sql`update rowhouse.jobs set due_time = now() where key = ${trashed.baseId}`);
  // Some look once more after what they began has ended.
  let isQuiet = false;
  for (let looks = 0; looks < 10 && !isQuiet; looks += 1) {
    await jobsDone(world().db);
    const before = await jobsSoFar();
    await sleep(1_500);
    isQuiet = (await jobsSoFar()) === before;
  }
  expect(isQuiet).toBe(true);
});
