// Copies of bases and tables: what a copy must not bring along, and who must not reach it.
import { createFileSignature, notifyFile } from '@rowhouse/contract/attachment.ts';
import { duplicateBase, getBase } from '@rowhouse/contract/base.ts';
import { listBaseCollaborators } from '@rowhouse/contract/collaborator.ts';
import { createDbConnection, getDbConnection } from '@rowhouse/contract/connection.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { copyShareToBase, enableShare, setShareMeta } from '@rowhouse/contract/share.ts';
import { duplicateTable, listTables } from '@rowhouse/contract/table.ts';
import { createTemplate, snapshotTemplate } from '@rowhouse/contract/template.ts';
import { listViews, setViewColumns } from '@rowhouse/contract/view.ts';
import { person } from '../../test/support/people.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import { member } from '../../test/support/workspace.ts';
import type { Ground } from '../ground.ts';
import { type Attack, unless } from './attack.ts';

const newTable = async (ground: Ground): Promise<TestTable> => {
  const table = await tableWith(await newGround(ground), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Secret', type: 'singleLineText' },
    { name: 'Files', type: 'attachment' },
  ]);
  const { url, token } = (
    await table.call(createFileSignature, {
      body: { contentType: 'text/plain', contentLength: 6, type: 1, baseId: table.baseId },
    })
  ).body;
  await (await fetch(url, { method: 'PUT', body: 'secret', headers: { 'content-type': 'text/plain' } })).text();
  await table.call(notifyFile, { params: { token }, query: {} });
  await table.call(createRecords, {
    params: table,
    body: { records: [{ fields: { Name: 'a', Secret: 'secret-mark', Files: [{ token, name: 'file-mark' }] } }] },
  });
  return table;
};

const views = async ({ call }: Pick<TestTable, 'call'>, tableId: string): Promise<string[]> =>
  (await call(listViews, { params: { tableId } })).body
    .filter((view) => view.enableShare === true || view.shareId != null)
    .map(({ name }) => name);

export const attacks: Attack[] = [
  {
    name: 'a copy is shared, open to readers, or reached by those who reach only what it was copied from',
    async run({ ground }) {
      const table = await newTable(ground);
      const { owner, call, baseId, spaceId, tableId, viewId } = table;
      const params = { tableId, viewId };
      await call(enableShare, { params });
      await call(setShareMeta, { params, body: { password: 'long and winding 7', allowCopy: true } });
      const opened = await call(createDbConnection, { params: { baseId } });
      const limited = await owner.withToken({ baseIds: [baseId] });
      const guest = await member(ground, owner, baseId, 'editor');
      const control = [
        (await views(table, tableId)).length,
        (await limited.call(getBase, { params: { baseId } })).status,
        (await guest.call(getBase, { params: { baseId } })).status,
      ];
      const copy = await call(duplicateBase, { body: { fromBaseId: baseId, spaceId, withRecords: true } });
      const there = { baseId: copy.body.id };
      const copied = (await call(listTables, { params: there, query: {} })).body[0]?.id as string;
      const twin = await call(duplicateTable, {
        params: { baseId, tableId },
        body: { name: 'Twin', includeRecords: true },
      });
      const people = (await call(listBaseCollaborators, { params: there, query: {} })).body.collaborators;
      const connection = await call(getDbConnection, { params: there });
      const reached = [
        (await limited.call(listRecords, { params: { tableId: copied } })).status,
        (await guest.call(listRecords, { params: { tableId: copied } })).status,
        (await limited.call(duplicateBase, { body: { fromBaseId: baseId, spaceId } })).status,
        (await guest.call(duplicateBase, { body: { fromBaseId: baseId, spaceId } })).status,
      ];
      const shared = [...(await views(table, copied)), ...(await views(table, twin.body.id))];
      return [
        ...unless(
          control.join() === '1,200,200' && copy.status === 201 && twin.status === 201,
          `the control: ${control.join()}, ${copy.status}, ${twin.status}`,
        ),
        ...unless(shared.length === 0, `shared: ${shared.join()}`),
        ...unless(!JSON.stringify(people).includes(guest.userId), 'a guest of the base is a guest of the copy'),
        ...unless(
          opened.status === 201 && connection.body === null,
          `readers: ${opened.status}, ${JSON.stringify(connection.body)}`,
        ),
        ...unless(
          reached.every((status) => status === 403 || status === 404),
          `answered ${reached.join()}`,
        ),
      ];
    },
  },
  {
    name: 'a copy of a share brings what its view hides, and anybody makes templates',
    async run({ ground }) {
      const table = await newTable(ground);
      const { call, baseId, tableId, viewId } = table;
      const params = { tableId, viewId };
      await call(setViewColumns, {
        params,
        body: ['Secret', 'Files'].map((name) => ({
          fieldId: table.fieldIds[name] as string,
          columnMeta: { hidden: true },
        })) as never,
      });
      const { shareId } = (await call(enableShare, { params })).body;
      const visitor = await newGround(ground);
      const copyTo = (baseOfMine: string) =>
        visitor.call(copyShareToBase, { params: { shareId }, body: { baseId: baseOfMine } });
      const refused = await copyTo(visitor.baseId);
      await call(setShareMeta, { params, body: { allowCopy: true, includeRecords: true } });
      const allowed = await copyTo(visitor.baseId);
      const toOthers = await copyTo(baseId);
      const tables = (await visitor.call(listTables, { params: { baseId: visitor.baseId }, query: {} })).body;
      const held = await Promise.all(
        tables.map(async ({ id }) =>
          JSON.stringify((await visitor.call(listRecords, { params: { tableId: id } })).body),
        ),
      );
      const someone = await person(ground);
      const made = [
        (await someone.call(createTemplate, { body: {} })).status,
        (await table.call(createTemplate, { body: {} })).status,
        (await table.call(snapshotTemplate, { params: { templateId: 'tpl0000000000000000' } })).status,
      ];
      return [
        ...unless(refused.status === 403, `without leave it answered ${refused.status}`),
        ...unless(
          allowed.status < 300 && held.some((text) => text.includes('"a"')),
          `the control answered ${allowed.status}: ${allowed.error?.message}`,
        ),
        ...unless(!held.join().includes('-mark'), 'what the view hides is in the copy'),
        ...unless(
          toOthers.status === 404 || toOthers.status === 403,
          `into the base of another it answered ${toOthers.status}`,
        ),
        ...unless(
          made.every((status) => status === 403 || status === 404),
          `templates answered ${made.join()}`,
        ),
      ];
    },
  },
];
