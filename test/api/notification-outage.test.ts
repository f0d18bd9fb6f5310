// A database that was away for a moment: people who were named meanwhile are told as soon as it is back.
import { randomBytes } from 'node:crypto';
import { getUnreadCount } from '@rowhouse/contract/notification.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { ground, tableWith } from '../support/table.ts';
import { member } from '../support/workspace.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('somebody who was named by a write whose answer was lost is told when the connections are back', async () => {
  const on = await ground(world());
  const named = await member(world(), on.owner, on.spaceId, 'editor');
  const table = await tableWith(on, [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Person', type: 'user' },
  ]);
  const unread = async (): Promise<number> => (await named.call(getUnreadCount)).body.unreadCount;
  while ((await unread()) === 0) await new Promise((passed) => setTimeout(passed, 20));
  const { db } = world();
  // The record is there, but its server did not live to say so.
  const made = await table.call(createRecords, {
    params: { tableId: table.tableId },
    body: { records: [{ fields: { Name: 'x' } }] },
  });
  const recordId = made.body.records[0]?.id as string;
  const notify = JSON.stringify({ named: { [named.userId]: { fieldName: 'Person', recordId, count: 1 } } });
  await db.query(
    sql`insert into ${sql.id(table.baseId, '__operation')} (public_id, table_id, kind, actor, row_delta, record_ids, notify)
        values (${`opr${randomBytes(8).toString('hex')}`}, ${table.tableId}, 'update', ${on.owner.userId}, 0, ${[recordId]}::text[], ${notify}::jsonb)`,
  );
  await db.query(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  while ((await unread()) < 2) await new Promise((passed) => setTimeout(passed, 50));
  expect(await unread()).toBe(2);
});
