// Every endpoint × the callers at the boundary of who may, compared with the table in support/access-table.ts. That the others
// follow from these is compared with the contract, without a server. Of endpoint × scope, and of credentials that are not
// valid, it takes a sample; `npm run proof -- authorisation` calls every cell of both matrices.
import { type Declaration, pathParams } from '@rowhouse/contract/endpoint.ts';
import { roles } from '@rowhouse/contract/permission.ts';
import { beforeAll, expect, test } from 'vitest';
import {
  callAllowed,
  callRefused,
  type Cell,
  endpoints,
  roleCells,
  rowOf,
  scopeCells,
} from '../support/access-cells.ts';
import { compareWithContract, declaredOutcome } from '../support/access-declared.ts';
import { gist, inBatches, requestFor, send } from '../support/access-request.ts';
import { accessTable, boundaryPrincipals, type Outcome, principals } from '../support/access-table.ts';
import { canary, mixed, nowhere, openTenant, type Tenant, type Things, unknown } from '../support/access-tenant.ts';
import { walks } from '../support/access-walk.ts';
import { fingerprint } from '../support/fingerprint.sql.ts';
import { plansWith } from '../support/plans.ts';
import { useWorld } from '../support/world.ts';

// Plans are on: some endpoints are about nothing else.
const world = useWorld(
  {},
  {
    plans: plansWith({
      free: {
        userGroupEnable: true,
        automationEnable: true,
        advancedPermissionsEnable: true,
        auditLogEnable: true,
        adminPanelEnable: true,
      },
    }),
  },
);

const names = endpoints.map(({ name }) => name);

/** One in so many. Prime, so that every kind of caller comes up. */
const sampled = 47;

const isRole = (name: string): boolean => roles.some((role) => name === role || name === `base ${role}`);

let tenant: Tenant;
let cells: Cell[];
/** What those were told about what is there who may not see it. */
const toldOfWhatIs = new Map<Cell['caller'], string>();

beforeAll(async () => {
  tenant = await openTenant(world());
  cells = [
    ...(await roleCells(world(), tenant)).filter(
      ({ endpoint, caller, expected }, at) =>
        at % sampled === 0 ||
        // What a token with the fewest scopes may, the token of an application may in the same way; of those whose role is just high
        // enough a third is let through here, all of them by the proof.
        (boundaryPrincipals(rowOf(endpoint)).includes(caller.name) &&
          !(expected === 'ok' && (caller.name === 'application' || (isRole(caller.name) && at % 3 !== 0)))),
    ),
    ...(await scopeCells(world(), tenant)).filter((_, at) => at % (3 * sampled) === 0),
  ];
});

const callsWhere = (wanted: (expected: Outcome) => boolean): Promise<(Cell & { headers: Record<string, string> })[]> =>
  Promise.all(
    cells
      .filter(({ expected }) => wanted(expected))
      .map(async (cell) => ({ ...cell, headers: await cell.caller.headers() })),
  );

test('every endpoint has a row in the access table, and every row an endpoint', () => {
  expect(Object.keys(accessTable).sort()).toEqual([...names].sort());
  expect(names).toEqual(expect.arrayContaining(Object.keys(walks)));
});

test('a higher role may whatever a lower one may, at every endpoint: the boundary says it for all', () => {
  const ranks = (names: readonly string[]): string[] => [...roles].filter((role) => names.includes(role));
  const wrong = endpoints.flatMap((endpoint) => {
    const may = principals.filter((name) => declaredOutcome(endpoint, name) === 'ok');
    const onSpace = ranks(may);
    const onBase = ranks(may.filter((name) => name.startsWith('base ')).map((name) => name.slice('base '.length)));
    const isPrefix = (some: string[], all: readonly string[]): boolean => some.every((role, at) => role === all[at]);
    return isPrefix(onSpace, roles) && isPrefix(onBase, roles.slice(1)) ? [] : [endpoint.name];
  });
  expect(wrong).toEqual([]);
});

test('the access table lets nobody through whom the contract refuses', () => {
  expect(compareWithContract(endpoints)).toEqual([]);
});

test('anyone who may not is refused, learns nothing and changes nothing', async () => {
  const calls = await callsWhere((expected) => expected !== 'ok');
  const before = await fingerprint(world().db);
  const slips: string[] = [];
  const unauthorized = new Set<string>();
  await inBatches(calls, async (cell) => {
    const { answer, slip } = await callRefused(world(), tenant, cell, cell.headers);
    toldOfWhatIs.set(cell.caller, gist(answer));
    if (cell.expected === 401) unauthorized.add(gist(answer));
    if (slip !== undefined) slips.push(slip);
  });
  expect(slips).toEqual([]);
  // Nor can anybody tell what is wrong with a credential.
  expect([...unauthorized]).toHaveLength(1);
  expect(await fingerprint(world().db)).toEqual(before);
});

test('a stranger is told the same about what is there as about what is not', async () => {
  const differences: unknown[] = [];
  const calls = (await callsWhere((expected) => expected !== 'ok')).filter(
    ({ caller }) => caller.name === 'stranger' || caller.name === 'administrator',
  );
  await inBatches(calls, async ({ endpoint, caller, headers }) => {
    const real =
      toldOfWhatIs.get(caller) ?? gist(await send(world(), endpoint, requestFor(endpoint, tenant.things), headers));
    const absent = gist(await send(world(), endpoint, requestFor(endpoint, nowhere(tenant.things)), headers));
    if (real !== absent) differences.push({ endpoint: endpoint.name, real, absent });
  });
  expect(differences).toEqual([]);
});

test('naming what belongs to somebody else is answered like naming what does not exist', async () => {
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
  await inBatches(
    endpoints.filter((endpoint) => rowOf(endpoint)[0] !== 'anyone'),
    async (endpoint) => {
      await compare(endpoint, mixed(mine, theirs), mixed(mine, null));
      if (pathParams(endpoint.path).includes('tableId'))
        await compare(endpoint, { ...mine, baseId: theirs.baseId }, { ...mine, baseId: unknown(mine.baseId) });
    },
  );
  expect(differences).toEqual([]);
  expect(await fingerprint(world().db)).toEqual(before);
});

// Every call that changes the structure of a base is made known to all nodes of a cluster.
test('anyone who may gets through', { timeout: 600_000 }, async () => {
  const slips: string[] = [];
  await inBatches(await callsWhere((expected) => expected === 'ok'), async (cell) => {
    const { slip } = await callAllowed(world(), tenant, cell, cell.headers);
    if (slip !== undefined) slips.push(slip);
  });
  expect(slips).toEqual([]);
});
