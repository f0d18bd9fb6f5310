// Every endpoint with requests that succeed: with all scopes, as an application, and with a token for one base. What lets none of them through has its reason in a table,
// which is checked both ways. `npm run proof -- scopes` sends the same requests with every scope alone.
import { oauthScopes } from '@rowhouse/contract/oauth.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowOf } from '../support/access-cells.ts';
import { openTenant, type Tenant } from '../support/access-tenant.ts';
import { walks } from '../support/access-walk.ts';
import { type Aviary, openAviary } from '../support/aviary.ts';
import { setUps, startOutside } from '../support/canary-setups.ts';
import { allBut, callHidden, type LimitedToken, walked } from '../support/canary-walk.ts';
import { cases } from '../support/cases.ts';
import { neverByToken, notByOneBase, slipsOfNever } from '../support/never-by-token.ts';
import { application, tokensFor } from '../support/oauth.ts';
import { plansWith } from '../support/plans.ts';
import { useWorld } from '../support/world.ts';

const outside = await startOutside();
const world = useWorld(outside.config, {
  plans: plansWith({
    free: {
      userGroupEnable: true,
      automationEnable: true,
      advancedPermissionsEnable: true,
      buttonFieldEnable: true,
      auditLogEnable: true,
      adminPanelEnable: true,
      maxNumDatabaseConnections: 100,
    },
  }),
});
afterAll(() => outside.close());

let tenant: Tenant;
let aviary: Aviary;
beforeAll(async () => {
  tenant = await openTenant(world());
  aviary = await openAviary(world(), tenant);
});

/** The others are seen to let a token with the scopes through by the access matrix. */
const unusual = walked.filter(
  ({ name }) =>
    walks[name]?.answers !== undefined ||
    [setUps, neverByToken, notByOneBase].some((table) => table[name] !== undefined),
);
const tried = cases(walked, unusual);
const names = tried.map(({ name }) => name);

/** The endpoints that let it through, and the others with what they answered. */
const walk = async (token: LimitedToken): Promise<{ reached: Set<string>; refused: Map<string, string> }> => {
  const reached = new Set<string>();
  const refused = new Map<string, string>();
  for (const endpoint of tried) {
    const { isReached, slips, answers } = await callHidden(world(), tenant, aviary, endpoint, token, outside);
    expect(slips).toEqual([]);
    if (isReached) reached.add(endpoint.name);
    else refused.set(endpoint.name, answers.map(({ status }) => status).join());
  }
  return { reached, refused };
};

test('each endpoint lets some token through, or has its reason why none ever gets through', async () => {
  // All that any endpoint asks for, and yet not everything: that would be a token without limits.
  const scopes = allBut('base|table_export');
  const everything = await walk({
    ...(await tenant.owner.withToken({ hasFullAccess: true, scopes })),
    label: 'a part of the scopes',
    scopes,
    hidden: {},
  });
  const app = await application(tenant.owner, { scopes: [...oauthScopes] });
  const { access_token: token } = (await tokensFor(world(), tenant.owner, app)) as { access_token: string };
  const asApplication = await walk({ token, label: 'application', kind: 'application', hidden: {} });
  expect(slipsOfNever(names, new Set([...everything.reached, ...asApplication.reached]))).toEqual([]);
});

test('a token for one base gets through wherever something is about that base, and nowhere else', async () => {
  const forBase = async (baseId: string) =>
    (await tenant.owner.withToken({ baseIds: [baseId], scopes: [...actions] })).token;
  const { reached, refused } = await walk({
    token: await forBase(aviary.things.baseId),
    label: 'one base',
    hidden: {},
    reissue: forBase,
  });
  const isInBase = (name: string): boolean => rowOf(walked.find((one) => one.name === name) as never)[0] === 'base';
  const isExpected = (name: string): boolean => isInBase(name) !== (notByOneBase[name] !== undefined);
  expect(
    [...refused].filter(([name]) => isInBase(name) && isExpected(name)).map(([name, status]) => `${name}: ${status}`),
  ).toEqual([]);
  // Of spaces none.
  expect([...reached].filter((name) => rowOf(walked.find((one) => one.name === name) as never)[0] === 'space')).toEqual(
    [],
  );
  expect([...reached].filter((name) => notByOneBase[name] !== undefined)).toEqual([]);
});
