// Who has a table open, and in which cell: told to others who see the table, and to nobody else.
import { listenToTable, showCell } from '@rowhouse/contract/event.ts';
import { enableShare } from '@rowhouse/contract/share.ts';
import { type Ear, listen } from '../../test/support/listen.ts';
import { person } from '../../test/support/people.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import { member } from '../../test/support/workspace.ts';
import type { Ground } from '../ground.ts';
import { type Attack, unless } from './attack.ts';

const newTable = async (ground: Ground): Promise<TestTable> =>
  tableWith(await newGround(ground), [{ name: 'Name', type: 'singleLineText' }]);

const open = ({ baseUrl }: Ground, { tableId }: TestTable, token: string): Promise<Ear> =>
  listen(`${baseUrl}/table/${tableId}/events?presence=true`, { token });

const cell = { recordId: 'recA', fieldId: 'fldA' };

export const attacks: Attack[] = [
  {
    name: 'a stranger, a token without record|read or for another base, and a visitor of a share hear who is there',
    async run({ ground }) {
      const [table, elsewhere] = [await newTable(ground), await newTable(ground)];
      const { tableId } = table;
      const guest = await member(ground, table.owner, table.spaceId, 'viewer');
      const mine = await open(ground, table, table.owner.token);
      const theirs = await open(ground, table, guest.token);
      const found: string[] = [];
      const stranger = await person(ground);
      const narrow = await table.owner.withToken({ hasFullAccess: true, scopes: ['table|read', 'view|read'] });
      const other = await table.owner.withToken({ baseIds: [(await newGround(ground, table.owner)).baseId] });
      for (const [who, { call }, wanted] of [
        ['a stranger', stranger, 404],
        ['the owner of another base', elsewhere.owner, 404],
        ['a token without record|read', narrow, 403],
        ['a token for another base', other, 404],
      ] as const) {
        const heard = await call(listenToTable, { params: { tableId }, query: { presence: true } });
        const shown = await call(showCell, { params: { tableId }, body: cell });
        found.push(
          ...unless(heard.status >= 403 && heard.status <= 404, `${who} listens: ${heard.status}`),
          ...unless(shown.status === wanted || shown.status === 403, `${who} is shown: ${shown.status}`),
        );
      }
      const share = await table.call(enableShare, { params: { tableId, viewId: table.viewId } });
      const visitor = await listen(`${ground.baseUrl}/share/${share.body.shareId}/view/events?presence=true`);
      // The control: the owner hears the guest move, after all of that.
      await guest.call(showCell, { params: { tableId }, body: cell });
      await mine.until(({ name, data }) => name === 'presence.cell' && data.userId === guest.userId);
      const others = [...mine.heard, ...theirs.heard].flatMap(({ name, data }) =>
        name === 'presence.changed' ? (data.users as { id: string }[]).map(({ id }) => id) : [],
      );
      found.push(
        ...unless(
          others.every((id) => id === guest.userId || id === table.owner.userId),
          'somebody else is shown as present',
        ),
        ...unless(
          visitor.heard.every(({ name }) => !name.startsWith('presence')),
          'a visitor of a share hears presence',
        ),
      );
      for (const ear of [mine, theirs, visitor]) ear.close();
      return found;
    },
  },
  {
    name: 'somebody is shown in a cell in the name of another, or with a text of their choice',
    async run({ ground }) {
      const table = await newTable(ground);
      const { tableId } = table;
      const guest = await member(ground, table.owner, table.spaceId, 'viewer');
      const mine = await open(ground, table, table.owner.token);
      const found: string[] = [];
      for (const bad of ['a/b', 'x'.repeat(51), 'a\nb', '"', '<b>', `${tableId}/${table.owner.userId}/recX`]) {
        const { status } = await guest.call(showCell, {
          params: { tableId },
          body: { recordId: bad, fieldId: 'fldA' },
        });
        found.push(...unless(status === 400, `${JSON.stringify(bad.slice(0, 20))} answered ${status}`));
      }
      await guest.call(showCell, {
        params: { tableId },
        body: { ...cell, userId: table.owner.userId, tableId: 'tblX' } as never,
      });
      // A flood: one account moves as fast as it can, and what others hear is a part of it.
      await Promise.all(
        Array.from({ length: 300 }, (_, at) =>
          guest.call(showCell, { params: { tableId }, body: { recordId: `rec${at}`, fieldId: 'fldA' } }),
        ),
      );
      await guest.call(showCell, { params: { tableId }, body: { recordId: 'recLast', fieldId: 'fldA' } });
      await mine.until(({ name, data }) => name === 'presence.cell' && data.recordId === 'recLast');
      const cells = mine.heard.filter(({ name }) => name === 'presence.cell');
      mine.close();
      return [
        ...found,
        ...unless(
          cells.every(({ data }) => data.userId === guest.userId && data.tableId === tableId),
          'a cell is told of another person or table',
        ),
        ...unless(cells.length < 200, `${cells.length} of 301 moves were passed on one by one`),
      ];
    },
  },
];
