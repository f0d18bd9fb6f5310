// Every endpoint × every kind of caller, compared with the table in support/access-table.ts.
import { type Declaration, pathParams } from '@rowhouse/contract/endpoint.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { beforeAll, expect, test } from 'vitest';
import { routes } from '../../server/app.ts';
import { sql } from '../../server/db/sql.ts';
import { gist, inBatches, requestFor, send } from '../support/access-request.ts';
import { openPrincipals, type Principal } from '../support/access-principals.ts';
import { accessTable, expectedOutcome, type Outcome, type Row } from '../support/access-table.ts';
import { canary, mixed, nowhere, openTenant, type Tenant, type Things, unknown } from '../support/access-tenant.ts';
import { walks } from '../support/access-walk.ts';
import { fingerprint } from '../support/fingerprint.sql.ts';
import { plansWith } from '../support/plans.ts';
import { useWorld } from '../support/world.ts';

// Plans are on: some endpoints are about nothing else.
const world = useWorld({}, { plans: plansWith({}) });

const names = routes.map(({ endpoint }) => endpoint.name);
const endpoints = routes.map(({ endpoint }) => endpoint).filter(({ name }) => name in accessTable);
const rowOf = ({ name }: Declaration): Row => accessTable[name] as Row;

let tenant: Tenant;
let principalsFor: (row: Row) => Principal[];

beforeAll(async () => {
  tenant = await openTenant(world());
  principalsFor = await openPrincipals(world(), tenant);
}, 120_000);

interface Call {
  endpoint: Declaration;
  caller: Principal;
  headers: Record<string, string>;
  expected: Outcome;
}

const callsWhere = (wanted: (expected: Outcome) => boolean): Promise<Call[]> => {
  const calls = endpoints.flatMap((endpoint) => {
    const row = rowOf(endpoint);
    return principalsFor(row).map((caller) => ({ endpoint, caller, expected: expectedOutcome(row, caller.name) }));
  });
  return Promise.all(calls.filter(({ expected }) => wanted(expected)).map(async (call) => ({ ...call, headers: await call.caller.headers() })));
};

const codes: Record<number, string> = { 401: 'unauthorized', 403: 'restricted_resource', 404: 'not_found' };

test('every endpoint has a row in the access table, and every row an endpoint', () => {
  expect(Object.keys(accessTable).sort()).toEqual([...names].sort());
  expect(names).toEqual(expect.arrayContaining(Object.keys(walks)));
});

test('anyone who may not is refused, learns nothing and changes nothing', { timeout: 120_000 }, async () => {
  const calls = await callsWhere((expected) => expected !== 'ok');
  const before = await fingerprint(world().db);
  const slips: string[] = [];
  const unauthorized = new Set<string>();
  await inBatches(calls, async ({ endpoint, caller, headers, expected }) => {
    const answer = await send(world(), endpoint, requestFor(endpoint, tenant.things), headers);
    if (expected === 401) unauthorized.add(gist(answer));
    const code = answer.text.startsWith('{') ? (JSON.parse(answer.text) as { code?: string }).code : undefined;
    const isRight = answer.status === expected && code === codes[expected as number];
    if (!isRight || answer.text.includes(canary)) slips.push(`${endpoint.name} as ${caller.label}: ${expected} expected, got ${answer.status} ${answer.text}`);
  });
  expect(slips).toEqual([]);
  // Nor can anybody tell what is wrong with a credential.
  expect([...unauthorized]).toHaveLength(1);
  expect(await fingerprint(world().db)).toEqual(before);
});

test('a stranger is told the same about what is there as about what is not', { timeout: 120_000 }, async () => {
  const differences: unknown[] = [];
  const calls = (await callsWhere((expected) => expected !== 'ok')).filter(({ caller }) => caller.name === 'stranger' || caller.name === 'administrator');
  await inBatches(calls, async ({ endpoint, headers }) => {
    const real = gist(await send(world(), endpoint, requestFor(endpoint, tenant.things), headers));
    const absent = gist(await send(world(), endpoint, requestFor(endpoint, nowhere(tenant.things)), headers));
    if (real !== absent) differences.push({ endpoint: endpoint.name, real, absent });
  });
  expect(differences).toEqual([]);
});

test('naming what belongs to somebody else is answered like naming what does not exist', { timeout: 120_000 }, async () => {
  const other = await openTenant(world());
  const headers = { authorization: `Bearer ${other.owner.token}` };
  const [mine, theirs] = [other.things, tenant.things];
  const before = await fingerprint(world().db);
  const differences: unknown[] = [];
  const compare = async (endpoint: Declaration, foreign: Things, absent: Things): Promise<void> => {
    const [one, two] = [requestFor(endpoint, foreign), requestFor(endpoint, absent)];
    if (JSON.stringify(one) === JSON.stringify(two)) return;
    const [real, none] = [await send(world(), endpoint, one, headers), await send(world(), endpoint, two, headers)];
    if (gist(real) !== gist(none) || real.status >= 500 || real.text.includes(canary)) {
      differences.push({ endpoint: endpoint.name, foreign: gist(real), absent: gist(none) });
    }
  };
  await inBatches(endpoints.filter((endpoint) => rowOf(endpoint)[0] !== 'anyone'), async (endpoint) => {
    await compare(endpoint, mixed(mine, theirs), mixed(mine, null));
    if (pathParams(endpoint.path).includes('tableId')) await compare(endpoint, { ...mine, baseId: theirs.baseId }, { ...mine, baseId: unknown(mine.baseId) });
  });
  expect(differences).toEqual([]);
  expect(await fingerprint(world().db)).toEqual(before);
});

test('no answer shows the e-mail address of anybody to a token without user|email_read', { timeout: 120_000 }, async () => {
  const { token } = await tenant.owner.withToken({ hasFullAccess: true, scopes: actions.filter((action) => action !== 'user|email_read') });
  const headers = { authorization: `Bearer ${token}` };
  const addresses = (await world().db.query<{ email: string }>(sql`select email from rowhouse.users`)).map(({ email }) => email);
  const reading = endpoints.filter((endpoint) => endpoint.method === 'GET' && rowOf(endpoint)[0] !== 'anyone');
  const slips: string[] = [];
  const seen: string[] = [];
  for (const [credential, found] of [[headers, slips], [{ authorization: `Bearer ${tenant.owner.token}` }, seen]] as const) {
    await inBatches(reading, async (endpoint) => {
      const answer = await send(world(), endpoint, requestFor(endpoint, tenant.things), credential);
      if (addresses.some((address) => answer.text.includes(address))) found.push(endpoint.name);
    });
  }
  expect(slips).toEqual([]);
  // With it there is something to see: otherwise this would be a test of nothing.
  expect(seen.length).toBeGreaterThan(4);
});

test('anyone who may gets through', { timeout: 120_000 }, async () => {
  const slips: string[] = [];
  await inBatches(await callsWhere((expected) => expected === 'ok'), async ({ endpoint, caller, headers }) => {
    const { fresh, answers } = walks[endpoint.name] ?? {};
    const { bearer, ...things } = (await fresh?.({ ...tenant, world: world(), caller })) ?? {};
    const credential = bearer === undefined || caller.name !== 'application' ? headers : { authorization: `Bearer ${bearer}` };
    const answer = await send(world(), endpoint, requestFor(endpoint, { ...tenant.things, ...things }), credential);
    const isThrough = answers === undefined ? answer.status === endpoint.status : answer.status === answers;
    if (!isThrough) slips.push(`${endpoint.name} as ${caller.label}: ${answers ?? endpoint.status} expected, got ${answer.status} ${answer.text.slice(0, 300)}`);
  });
  expect(slips).toEqual([]);
});
