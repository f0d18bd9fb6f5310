// What fails beside the requests is logged and counted, and made up for when it works again.
import { addSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { listNotifications } from '@rowhouse/contract/notification.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { figure } from '../support/figures.ts';
import { listen } from '../support/listen.ts';
import { person } from '../support/people.ts';
import { openWorkshop } from '../support/tables.ts';
import { useWorld } from '../support/world.ts';

const lines: string[] = [];
const world = useWorld({ logLevel: 'error' }, { logStream: { write: (line) => void lines.push(line) } });

const failures = (work: string): Promise<number> =>
  figure(world().origin, 'rowhouse_background_failures_total', `{work="${work}"}`);
const logged = (work: string): string[] =>
  lines.filter((line) => JSON.parse(line).msg === `${work} failed; it is tried again`);

test('a worker that cannot tell people says so once, counts each time, and tells them afterwards', async () => {
  const { owner, spaceId } = await openWorkshop(world());
  const someone = await person(world());
  await world().db.query(sql`alter table rowhouse.notifications rename to notifications_away`);
  await owner.call(addSpaceCollaborators, {
    params: { spaceId },
    body: { collaborators: [{ principalId: someone.userId, principalType: 'user' }], role: 'viewer' },
  });
  await expect.poll(() => failures('notify'), { timeout: 30_000 }).toBeGreaterThan(1);
  expect(logged('notify')).toHaveLength(1);
  expect(JSON.parse(logged('notify')[0] as string)).toMatchObject({
    level: 50,
    err: { code: '42P01', message: expect.stringContaining('rowhouse.notifications') },
  });
  await world().db.query(sql`alter table rowhouse.notifications_away rename to notifications`);
  await expect
    .poll(
      async () =>
        (await someone.call(listNotifications, { query: { notifyStates: 'unread' } })).body.notifications.length,
      { timeout: 30_000 },
    )
    .toBe(1);
});

test('a message whose job could not be ended is told once', async () => {
  const { owner, spaceId } = await openWorkshop(world());
  const someone = await person(world());
  // The first two ends fail, as when the process is killed right before them.
  await world().db.query(sql`create sequence public.ends`);
  await world().db.query(
    sql`create function public.fail_twice() returns trigger language plpgsql as 'begin if nextval(''public.ends'') <= 2 then raise exception ''killed''; end if; return old; end'`,
  );
  await world().db.query(
    sql`create trigger fail_twice before delete on rowhouse.jobs for each row when (old.kind = 'notify') execute function public.fail_twice()`,
  );
  await owner.call(addSpaceCollaborators, {
    params: { spaceId },
    body: { collaborators: [{ principalId: someone.userId, principalType: 'user' }], role: 'viewer' },
  });
  await expect
    .poll(
      async () =>
        Number((await world().db.query<{ last: string }>(sql`select last_value as last from public.ends`))[0]?.last),
      { timeout: 30_000 },
    )
    .toBeGreaterThan(2);
  await expect
    .poll(
      async () =>
        (await someone.call(listNotifications, { query: { notifyStates: 'unread' } })).body.notifications.length,
      { timeout: 30_000 },
    )
    .toBe(1);
  await world().db.query(sql`drop trigger fail_twice on rowhouse.jobs`);
});

test('a feed that cannot be read says so, and its listeners hear everything afterwards', async () => {
  const { owner, baseId, table } = await openWorkshop(world());
  const made = await table({ records: [] });
  const ear = await listen(`${world().baseUrl}/table/${made.id}/events`, { token: owner.token });
  await ear.until((event) => event.name === 'ready');
  await world().db.query(sql`alter table ${sql.id(baseId, '__feed')} rename column last to last_away`);
  await expect.poll(() => failures('live feed'), { timeout: 30_000 }).toBeGreaterThan(1);
  expect(logged('live feed')).toHaveLength(1);
  await world().db.query(sql`alter table ${sql.id(baseId, '__feed')} rename column last_away to last`);
  await owner.call(createRecords, { params: { tableId: made.id }, body: { records: [{ fields: { Name: 'x' } }] } });
  await ear.until((event) => event.name === 'records.created');
  ear.close();
});
