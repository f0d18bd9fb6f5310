// Calendars: what their files and the days of a share tell, and to whom.
import { createField } from '@rowhouse/contract/field.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { authShare, disableShare, enableShare, getShareCalendar, setShareMeta } from '@rowhouse/contract/share.ts';
import { createView, setViewColumns, setViewOptions } from '@rowhouse/contract/view.ts';
import { caller } from '../../test/support/caller.ts';
import { person } from '../../test/support/people.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import type { Ground } from '../ground.ts';
import { type Attack, unless } from './attack.ts';

const day = '2024-02-29T00:00:00.000Z';
const evil = 'Plan\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:other\nATTACH:file:///etc/passwd\u2028X';

interface Calendar extends TestTable {
  calendarId: string;
}

const newCalendar = async (ground: Ground): Promise<Calendar> => {
  const table = await tableWith(await newGround(ground), [
    { name: 'Name', type: 'longText' },
    { name: 'Day', type: 'date' },
    { name: 'Secret', type: 'singleLineText' },
  ]);
  const view = await table.call(createView, { params: table, body: { type: 'calendar' } });
  await table.call(setViewColumns, {
    params: { tableId: table.tableId, viewId: view.body.id },
    body: [{ fieldId: table.fieldIds['Day'] as string, columnMeta: { visible: true } }] as never,
  });
  await table.call(createRecords, {
    params: table,
    body: { records: [{ fields: { Name: evil, Day: day, Secret: 'hidden-mark' } }] },
  });
  return { ...table, calendarId: view.body.id };
};

const fileOf = async ({ origin }: Ground, { tableId, calendarId }: Calendar, token?: string) => {
  const answer = await fetch(
    `${origin}/api/export/${tableId}?${new URLSearchParams({ format: 'ics', viewId: calendarId })}`,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
  return { status: answer.status, text: await answer.text() };
};

export const attacks: Attack[] = [
  {
    name: 'the file of a calendar is read without the right to, shows what is hidden, or holds lines of somebody’s choice',
    async run({ ground }) {
      const calendar = await newCalendar(ground);
      const { owner } = calendar;
      const narrow = await owner.withToken({ hasFullAccess: true, scopes: ['table|read', 'view|read'] });
      const other = await newGround(ground, owner);
      const elsewhere = await owner.withToken({ baseIds: [other.baseId] });
      const stranger = await person(ground);
      const statuses = [
        (await fileOf(ground, calendar)).status,
        (await fileOf(ground, calendar, narrow.token)).status,
        (await fileOf(ground, calendar, elsewhere.token)).status,
        (await fileOf(ground, calendar, stranger.token)).status,
      ];
      const control = await fileOf(ground, calendar, owner.token);
      const lines = control.text.replaceAll('\r\n ', '').split('\r\n');
      return [
        ...unless(control.status === 200, `the control answered ${control.status}`),
        ...unless(
          statuses.join() === '401,403,404,404' || statuses.join() === '401,403,403,404',
          `answered ${statuses.join()}`,
        ),
        ...unless(!control.text.includes('hidden-mark'), 'a hidden field is in the file'),
        ...unless(lines.filter((line) => line === 'BEGIN:VEVENT').length === 1, 'a title made an event of its own'),
        ...unless(!lines.some((line) => /^(ATTACH|SUMMARY:other)/.test(line)), 'a title made a line of its own'),
        ...unless(!/[^\r]\n/.test(control.text), 'there is a line end of its own in it'),
      ];
    },
  },
  {
    name: 'the days of a share are read after it has ended, without its password, or by a field that it hides',
    async run({ ground }) {
      const calendar = await newCalendar(ground);
      const { tableId, calendarId: viewId, call } = calendar;
      const params = { tableId, viewId };
      const { shareId } = (await call(enableShare, { params })).body;
      const visitor = caller({ baseUrl: ground.baseUrl });
      const days = (fieldId: string, headers: Record<string, string> = {}) =>
        visitor(getShareCalendar, {
          params: { shareId },
          query: {
            startDate: '2024-01-01T00:00:00.000Z',
            endDate: '2024-12-31T00:00:00.000Z',
            startDateFieldId: fieldId,
            endDateFieldId: fieldId,
          },
          headers,
        });
      const dayId = calendar.fieldIds['Day'] as string;
      const control = await days(dayId);
      const hidden = await call(createField, { params: calendar, body: { name: 'Hidden day', type: 'date' } });
      await call(setViewColumns, {
        params,
        body: [{ fieldId: hidden.body.id, columnMeta: { visible: false } }] as never,
      });
      const byHidden = await days(hidden.body.id);
      await call(setViewOptions, { params, body: { options: { startDateFieldId: hidden.body.id } } as never });
      const byOption = await days(hidden.body.id);
      const without = await fileOf(ground, calendar);
      await call(setShareMeta, { params, body: { password: 'long and winding 7' } });
      const locked = await days(dayId);
      const pass = await visitor(authShare, { params: { shareId }, body: { password: 'long and winding 7' } });
      const cookie = (pass.headers.get('set-cookie') ?? '').split(';')[0] as string;
      const opened = await days(dayId, { cookie });
      await call(setShareMeta, { params, body: { password: 'another winding 8' } });
      const changed = await days(dayId, { cookie });
      await call(disableShare, { params });
      const ended = await days(dayId);
      return [
        ...unless(
          control.status === 200 && JSON.stringify(control.body).includes('Plan'),
          `the control answered ${control.status}: ${control.error?.message}`,
        ),
        ...unless(
          !JSON.stringify([control.body, byOption.body ?? null]).includes('hidden-mark'),
          'a hidden field is shown',
        ),
        ...unless(
          byHidden.status === 400 || byHidden.status === 404,
          `by a hidden field it answered ${byHidden.status}`,
        ),
        ...unless(byOption.status !== 500, `by a hidden field of its options it answered ${byOption.status}`),
        ...unless(without.status === 401, `its file answered a visitor ${without.status}`),
        ...unless(
          locked.status === 401 && opened.status === 200,
          `with a password: ${locked.status}, ${opened.status}`,
        ),
        ...unless(changed.status === 401, `with the password before it answered ${changed.status}`),
        ...unless(ended.status === 400, `ended it answered ${ended.status}`),
      ];
    },
  },
];
