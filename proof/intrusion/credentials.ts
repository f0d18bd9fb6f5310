// Credentials that live longer, or may do more, than they were made for.
import { createAccessToken, deleteAccessToken } from '@rowhouse/contract/access-token.ts';
import { listBaseCollaborators, listSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import { listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { setUserActive } from '../../server/domain/auth/set-user-active.ts';
import { application, refresh, tokensFor, tryToken } from '../../test/support/oauth.ts';
import { person } from '../../test/support/people.ts';
import { newBase, newSpace } from '../../test/support/workspace.ts';
import { type Attack, unless } from './attack.ts';

export const attacks: Attack[] = [
  {
    name: 'a limited token lives on in one that was made with it',
    async run({ ground }) {
      const owner = await person(ground);
      const spaceId = await newSpace(owner);
      const grant = {
        name: 'stolen',
        scopes: ['space|read'],
        spaceIds: [spaceId],
        expiredTime: new Date(Date.now() + 3_600_000).toISOString(),
      };
      const stolen = await owner.call(createAccessToken, { body: grant });
      const thief = await fetch(`${ground.baseUrl}/access-token`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stolen.body.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(grant),
      });
      const { token } = (await thief.json()) as { token: string };
      await owner.call(deleteAccessToken, { params: { accessTokenId: stolen.body.id } });
      return unless((await tryToken(ground, token)) === 401, 'the child works after its parent was deleted');
    },
  },
  {
    name: 'an application goes on after its user was deactivated and activated',
    async run({ ground }) {
      const [maker, user] = [await person(ground), await person(ground)];
      const app = await application(maker);
      const tokens = await tokensFor(ground, user, app);
      await setUserActive(ground.db, user.email, false);
      await setUserActive(ground.db, user.email, true);
      const again = await refresh(ground, app, tokens.refresh_token);
      return [
        ...unless(again.status === 400, 'the refresh token works again'),
        ...unless((await tryToken(ground, tokens.access_token)) === 401, 'the access token works again'),
      ];
    },
  },
  {
    name: 'a token sees cells and addresses that it has no scope for',
    async run({ ground }) {
      const owner = await person(ground);
      const spaceId = await newSpace(owner);
      const baseId = await newBase(owner, spaceId);
      const fields = [
        { name: 'Name', type: 'singleLineText' },
        { name: 'Secret', type: 'singleLineText' },
        { name: 'Owner', type: 'user' },
      ] as const;
      const { id: tableId } = (
        await owner.call(createTable, {
          params: { baseId },
          body: {
            fields: [...fields],
            records: [{ fields: { Secret: 'hidden', Owner: { id: owner.userId, title: 'x' } } }],
          },
        })
      ).body;
      const recordId = (await owner.call(listRecords, { params: { tableId } })).body.records[0]?.id as string;
      const writer = await owner.withToken({ hasFullAccess: true, scopes: ['record|update'] });
      const written = JSON.stringify(
        (
          await writer.call(updateRecord, {
            params: { tableId, recordId },
            body: { record: { fields: { Name: 'a' } } },
          })
        ).body,
      );
      const reader = await owner.withToken({ hasFullAccess: true, scopes: ['record|read', 'space|read', 'base|read'] });
      const read = JSON.stringify([
        (await reader.call(listRecords, { params: { tableId } })).body,
        (await reader.call(listSpaceCollaborators, { params: { spaceId } })).body,
        (await reader.call(listBaseCollaborators, { params: { baseId } })).body,
      ]);
      return [
        ...unless(!written.includes('hidden'), `written: ${written}`),
        ...unless(read.includes('hidden') && !read.includes(owner.email), `read: ${read}`),
      ];
    },
  },
];
