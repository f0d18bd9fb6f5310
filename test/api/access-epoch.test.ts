// What is taken away is gone at once where it applies, also where a decision is remembered, and nobody else notices.
import { deleteAccessToken, refreshAccessToken, updateAccessToken } from '@rowhouse/contract/access-token.ts';
import { signOut } from '@rowhouse/contract/auth.ts';
import { deleteBase, moveBase } from '@rowhouse/contract/base.ts';
import {
  removeBaseCollaborator,
  removeSpaceCollaborator,
  updateBaseCollaborator,
  updateSpaceCollaborator,
} from '@rowhouse/contract/collaborator.ts';
import { revokeOauthToken } from '@rowhouse/contract/oauth.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { deleteSpace } from '@rowhouse/contract/space.ts';
import { deleteTable } from '@rowhouse/contract/table.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUserActive } from '../../server/domain/auth/set-user-active.ts';
import { application, tokensFor } from '../support/oauth.ts';
import type { Person } from '../support/people.ts';
import { openWorkshop, type Workshop } from '../support/tables.ts';
import { give, member, newSpace } from '../support/workspace.ts';
import { type Caller, caller, openWorld, useSharedWorld, type World } from '../support/world.ts';

const world = useSharedWorld();
/** Another server of the same database: what it remembers is not told to it, and its statements are counted apart. */
let other: World;
let shop: Workshop;
let tableId: string;

beforeAll(async () => {
  other = await openWorld(world().databaseUrl);
  shop = await openWorkshop(world());
  tableId = (await shop.table({ records: [] })).id;
});
afterAll(() => other.close());

const elsewhere = (who: { token: string }): Caller => caller({ baseUrl: other.baseUrl, token: who.token });
const write = (call: Caller, at = tableId) =>
  call(createRecords, { params: { tableId: at }, body: { records: [{ fields: {} }] } });

/** Statements and answers of writes at the other server while `disturb` goes on here. */
const writesDuring = async (
  call: Caller,
  disturb: (round: number) => Promise<unknown>,
): Promise<{ statements: number; statuses: number[] }> => {
  await write(call);
  const before = other.db.counters.statements;
  const statuses: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    await disturb(round);
    statuses.push((await write(call)).status);
  }
  return { statements: other.db.counters.statements - before, statuses };
};

/** One statement per write; beside them it is noted now and then when tokens were used. */
const undisturbed = {
  statuses: Array.from({ length: 10 }, () => 201),
  statements: expect.toSatisfy((count: number) => count <= 13),
};

test('an account that changes its own token again and again makes nobody else begin a write again', async () => {
  const { owner: stranger } = await openWorkshop(world());
  const { id } = await stranger.withToken({});
  const changed = (round: number) =>
    round % 2 === 0
      ? stranger.call(updateAccessToken, {
          params: { accessTokenId: id },
          body: { name: `n${round}`, scopes: ['record|read'] },
        })
      : stranger.call(refreshAccessToken, { params: { accessTokenId: id } });
  expect(await writesDuring(elsewhere(shop.owner), changed)).toEqual(undisturbed);
});

test('nor does somebody who lets others into a space and changes their roles there', async () => {
  const { owner: stranger, spaceId } = await openWorkshop(world());
  await give(stranger, spaceId, shop.owner, 'viewer');
  const changed = (round: number) =>
    stranger.call(updateSpaceCollaborator, {
      params: { spaceId },
      body: { principalId: shop.owner.userId, principalType: 'user', role: round % 2 === 0 ? 'editor' : 'viewer' },
    });
  expect(await writesDuring(elsewhere(shop.owner), changed)).toEqual(undisturbed);
});

interface Case {
  what: string;
  /** Who writes: by default a member of the space with the role of an editor. */
  who?: (of: Workshop) => Promise<Person>;
  /** How they come; answers what takes it away. */
  take: (of: Workshop, who: Person, tableId: string) => Promise<{ call: Caller; away: () => Promise<unknown> }>;
  status: number;
}

const inBase = (of: Workshop): Promise<Person> => member(world(), of.owner, of.baseId, 'editor');
const withToken = async (
  who: Person,
  away: (id: string) => Promise<unknown>,
): Promise<{ call: Caller; away: () => Promise<unknown> }> => {
  const made = await who.withToken({ hasFullAccess: true });
  return { call: elsewhere(made), away: () => away(made.id) };
};
const plainly = async (who: Person, away: () => Promise<unknown>) => ({ call: elsewhere(who), away });
const person = ({ userId }: Person) => ({ principalId: userId, principalType: 'user' as const });

const cases: Case[] = [
  {
    what: 'a token that is deleted',
    status: 401,
    take: (_of, who) => withToken(who, (accessTokenId) => who.call(deleteAccessToken, { params: { accessTokenId } })),
  },
  {
    what: 'a token that gets another secret',
    status: 401,
    take: (_of, who) => withToken(who, (accessTokenId) => who.call(refreshAccessToken, { params: { accessTokenId } })),
  },
  {
    what: 'a token whose scopes are narrowed',
    status: 403,
    take: (_of, who) =>
      withToken(who, (accessTokenId) =>
        who.call(updateAccessToken, { params: { accessTokenId }, body: { name: 'n', scopes: ['record|read'] } }),
      ),
  },
  {
    what: 'a session that is signed out',
    status: 401,
    take: async (_of, who) => {
      const headers = { cookie: await who.cookie() };
      return {
        call: caller({ baseUrl: other.baseUrl, headers }),
        away: () => caller({ baseUrl: world().baseUrl, headers })(signOut),
      };
    },
  },
  {
    what: 'what an application was allowed',
    status: 401,
    take: async (of, who) => {
      const app = await application(of.owner, { scopes: ['table|read', 'record|read', 'record|create'] });
      const { access_token: token } = await tokensFor(world(), who, app);
      return {
        call: elsewhere({ token }),
        away: () => who.call(revokeOauthToken, { params: { clientId: app.clientId } }),
      };
    },
  },
  {
    what: 'an account that is deactivated',
    status: 401,
    take: (_of, who) => plainly(who, () => setUserActive(world().db, who.email, false)),
  },
  {
    what: 'a lower role on the space',
    status: 403,
    take: (of, who) =>
      plainly(who, () =>
        of.owner.call(updateSpaceCollaborator, { params: of, body: { ...person(who), role: 'viewer' } }),
      ),
  },
  {
    what: 'no role on the space',
    status: 404,
    take: (of, who) => plainly(who, () => of.owner.call(removeSpaceCollaborator, { params: of, query: person(who) })),
  },
  {
    what: 'a lower role on the base',
    who: inBase,
    status: 403,
    take: (of, who) =>
      plainly(who, () =>
        of.owner.call(updateBaseCollaborator, { params: of, body: { ...person(who), role: 'viewer' } }),
      ),
  },
  {
    what: 'no role on the base',
    who: inBase,
    status: 404,
    take: (of, who) => plainly(who, () => of.owner.call(removeBaseCollaborator, { params: of, query: person(who) })),
  },
  {
    what: 'a base that is moved to another space',
    status: 404,
    take: (of, who) =>
      plainly(who, async () => of.owner.call(moveBase, { params: of, body: { spaceId: await newSpace(of.owner) } })),
  },
  {
    what: 'a table in the trash',
    status: 404,
    take: (of, who, id) => plainly(who, () => of.owner.call(deleteTable, { params: { ...of, tableId: id } })),
  },
  {
    what: 'a base in the trash',
    who: inBase,
    status: 404,
    take: (of, who) => plainly(who, () => of.owner.call(deleteBase, { params: of })),
  },
  {
    what: 'a space in the trash',
    who: inBase,
    status: 404,
    take: (of, who) => plainly(who, () => of.owner.call(deleteSpace, { params: of })),
  },
];

test.each(cases)('$what counts at once, also at a server that remembers otherwise', async ({ who, take, status }) => {
  const of = await openWorkshop(world());
  const { id } = await of.table({ records: [] });
  const someone = await (who?.(of) ?? member(world(), of.owner, of.spaceId, 'editor'));
  const { call, away } = await take(of, someone, id);
  expect((await write(call, id)).status).toBe(201);
  expect(await away()).toSatisfy(
    (outcome: { status: number } | boolean) =>
      outcome === true || [200, 201].includes((outcome as { status: number }).status),
  );
  expect((await write(call, id)).status).toBe(status);
});

test('a base that was moved is written to by the members of its new space, and counted there', async () => {
  const of = await openWorkshop(world());
  const { id } = await of.table({ records: [] });
  const spaceId = await newSpace(of.owner);
  const newcomer = await member(world(), of.owner, spaceId, 'editor');
  expect((await write(elsewhere(of.owner), id)).status).toBe(201);
  expect((await write(elsewhere(newcomer), id)).status).toBe(404);
  expect((await of.owner.call(moveBase, { params: of, body: { spaceId } })).status).toBe(200);
  for (const who of [newcomer, of.owner]) expect((await write(elsewhere(who), id)).status).toBe(201);
  // What is taken away there now counts there.
  await of.owner.call(removeSpaceCollaborator, { params: { spaceId }, query: person(newcomer) });
  expect((await write(elsewhere(newcomer), id)).status).toBe(404);
});
