// Undo: it does again what somebody did, so it needs the same rights, now.
import { removeSpaceCollaborator, updateSpaceCollaborator } from '@rowhouse/contract/collaborator.ts';
import { deleteField, listFields } from '@rowhouse/contract/field.ts';
import { restoreHistory } from '@rowhouse/contract/history.ts';
import { createRecords, deleteRecords, listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { redo, undo } from '@rowhouse/contract/undo-redo.ts';
import { caller } from '../../test/support/caller.ts';
import { application, tokensFor } from '../../test/support/oauth.ts';
import { person } from '../../test/support/people.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import { member } from '../../test/support/workspace.ts';
import type { Caller } from '../../test/support/world.ts';
import type { Ground } from '../ground.ts';
import { type Attack, unless } from './attack.ts';

const newTable = async (ground: Ground): Promise<TestTable> =>
  tableWith(await newGround(ground), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Note', type: 'singleLineText' },
  ]);

const headers = { 'x-window-id': 'window-of-mine' };

/** Three steps of a window: a changed cell, a deleted record, a deleted field. The ids of the operations are answered. */
const work = async (call: Caller, table: TestTable) => {
  const made = await call(createRecords, {
    params: table,
    body: { records: [{ fields: { Name: 'before-mark' } }, { fields: { Name: 'deleted-mark' } }] },
  });
  const [first, second] = made.body.records.map(({ id }) => id) as [string, string];
  const changed = await call(updateRecord, {
    params: { ...table, recordId: first },
    body: { record: { fields: { Name: 'after' } } },
    headers,
  });
  const deleted = await call(deleteRecords, { params: table, query: { recordIds: [second] }, headers });
  return [changed, deleted].map((answer) => answer.headers.get('x-operation-id') as string);
};

const stateOf = async ({ call, ...table }: TestTable): Promise<string> =>
  JSON.stringify([
    (await call(listRecords, { params: table })).body.records.map(({ fields }) => fields),
    (await call(listFields, { params: table, query: {} })).body.map(({ name }) => name),
  ]);

/** Whether undoing, by window and by operation, changes or tells anything. */
const tryAll = async (
  who: string,
  call: Caller,
  table: TestTable,
  operations: readonly string[],
): Promise<string[]> => {
  const before = await stateOf(table);
  const answers = [
    await call(undo, { params: table, headers, body: { force: true } }),
    await call(redo, { params: table, headers, body: { force: true } }),
  ];
  for (const operationId of operations)
    answers.push((await call(restoreHistory, { params: table, body: { operationId, force: true } })) as never);
  const told = JSON.stringify(answers.map(({ body }) => body ?? null));
  return [
    ...unless(
      (await stateOf(table)) === before,
      `${who} changed the table: ${answers.map(({ status }) => status).join()}`,
    ),
    ...unless(!told.includes('-mark'), `${who} was told cells: ${told.slice(0, 300)}`),
    ...unless(
      answers.every(({ status, body }) => status >= 400 || (body as { status?: string })?.status !== 'fulfilled'),
      `${who} undid something: ${told.slice(0, 300)}`,
    ),
  ];
};

export const attacks: Attack[] = [
  {
    name: 'anyone who was made a viewer, was removed, or only knows the window undoes what was done',
    async run({ ground }) {
      const table = await newTable(ground);
      const editor = await member(ground, table.owner, table.spaceId, 'editor');
      const operations = await work(editor.call, table);
      const another = await member(ground, table.owner, table.spaceId, 'viewer');
      const found = [
        ...(await tryAll('a viewer with the window of another', another.call, table, operations)),
        ...(await tryAll('a stranger', (await person(ground)).call, table, operations)),
      ];
      const params = { spaceId: table.spaceId };
      await table.call(updateSpaceCollaborator, { params, body: { userId: editor.userId, role: 'viewer' } });
      found.push(...(await tryAll('a former editor', editor.call, table, operations)));
      await table.call(updateSpaceCollaborator, { params, body: { userId: editor.userId, role: 'editor' } });
      // The control: with their role they can.
      const control = await editor.call(undo, { params: table, headers, body: {} });
      await table.call(removeSpaceCollaborator, {
        params,
        query: { principalId: editor.userId, principalType: 'user' },
      });
      return [
        ...found,
        ...unless(control.body.status === 'fulfilled', `the control: ${JSON.stringify(control.body)}`),
        ...(await tryAll('somebody who was removed', editor.call, table, operations)),
      ];
    },
  },
  {
    name: 'a token or an application undoes what its scopes do not let it do',
    async run({ ground }) {
      const table = await newTable(ground);
      const { owner } = table;
      const operations = await work(owner.call, table);
      const gone = await owner.call(deleteField, {
        params: { tableId: table.tableId, fieldId: table.fieldIds['Note'] as string },
        headers,
      });
      operations.push(gone.headers.get('x-operation-id') as string);
      const found: string[] = [];
      for (const scopes of [
        ['table|read'],
        ['table|read', 'record|read'],
        ['table|read', 'record|read', 'view|update'],
      ]) {
        const token = await owner.withToken({ hasFullAccess: true, scopes: scopes as never });
        found.push(...(await tryAll(`a token for ${scopes.join()}`, token.call, table, operations)));
        const app = await application(owner, { scopes });
        const { access_token } = await tokensFor(ground, owner, app);
        const call = caller({ baseUrl: ground.baseUrl, token: access_token as string });
        found.push(...(await tryAll(`an application for ${scopes.join()}`, call, table, operations)));
      }
      const elsewhere = await newGround(ground, owner);
      const limited = await owner.withToken({ baseIds: [elsewhere.baseId] });
      found.push(...(await tryAll('a token for another base', limited.call, table, operations)));
      // What may change cells does not bring back a field.
      const cells = await owner.withToken({
        hasFullAccess: true,
        scopes: ['table|read', 'record|read', 'record|update'],
      });
      const field = await cells.call(restoreHistory, {
        params: table,
        body: { operationId: operations.at(-1) as string, force: true },
      });
      const control = await owner.call(restoreHistory, {
        params: table,
        body: { operationId: operations.at(-1) as string },
      });
      return [
        ...found,
        ...unless(field.status === 403, `a token for cells was answered ${field.status} for a field`),
        ...unless(control.status === 200, `the control answered ${control.status}`),
      ];
    },
  },
];
