// Authorisation: who may call what, by role and by scope. Every cell of both matrices is called for real; those who may
// get through, those who may not are told so and change nothing. The table by hand is held against the contract first.
// Within `npm test` the access matrix walks the roles, and some of the scopes: there is no test of the short version.
import { deleteAutomation, listAutomations } from '@rowhouse/contract/automation.ts';
import { deleteWebhook, listWebhooks } from '@rowhouse/contract/webhook.ts';
import type { Outcome as Result, Part, Setting } from '../part.ts';
import { openGround } from '../ground.ts';
import { randomFrom } from '../random.ts';
import {
  callAllowed,
  callRefused,
  type Cell,
  endpoints,
  roleCells,
  rowOf,
  scopeCells,
} from '../../test/support/access-cells.ts';
import { compareWithContract, declaredOutcome } from '../../test/support/access-declared.ts';
import { inBatches } from '../../test/support/access-request.ts';
import { expectedOutcome, principals } from '../../test/support/access-table.ts';
import { openTenant, standingTable, type Tenant } from '../../test/support/access-tenant.ts';
import { fingerprint } from '../../test/support/fingerprint.sql.ts';

const sampleSize = 700;

/** Cells that the contract alone would let through, and the operation does not: things of one's own, rules about whom. */
const stricterCells = (): number =>
  endpoints.reduce((sum, endpoint) => {
    const stricter = principals.filter(
      (name) => declaredOutcome(endpoint, name) === 'ok' && expectedOutcome(rowOf(endpoint), name) !== 'ok',
    );
    return sum + stricter.length;
  }, 0);

/** Deletes automations and webhooks that calls have left, but for those that were made last: other calls may use them. */
const makeRoom = async ({ owner, things }: Tenant, present: Tenant): Promise<void> => {
  const params = { baseId: things.baseId };
  const named = [things, present.things].flatMap(({ automationId, webhookId }) => [automationId, webhookId]);
  const old = <T extends { id: string }>(all: readonly T[]): T[] =>
    all.filter(({ id }) => !named.includes(id)).slice(0, -30);
  const automations = (await owner.call(listAutomations, { params })).body;
  const latestLast = automations.toSorted((a, b) => a.createdTime.localeCompare(b.createdTime));
  for (const { id } of old(latestLast)) await owner.call(deleteAutomation, { params: { ...params, automationId: id } });
  for (const { id } of old((await owner.call(listWebhooks, { params })).body))
    await owner.call(deleteWebhook, { params: { ...params, webhookId: id } });
};

const run = async ({ seed, scale, say }: Setting): Promise<Result> => {
  const failures = compareWithContract(endpoints);
  // Those who may add people add more of them than anybody does.
  const ground = await openGround({ ROWHOUSE_INVITATIONS_PER_HOUR: '1000000' });
  try {
    const tenant = await openTenant(ground);
    const all = [...(await roleCells(ground, tenant)), ...(await scopeCells(ground, tenant))];
    const cells = scale === 'full' ? all : randomFrom(seed).shuffled(all).slice(0, sampleSize);
    const refused = cells.filter(({ expected }) => expected !== 'ok');
    const allowed = cells.filter(({ expected }) => expected === 'ok');
    const walk = async (what: string, some: Cell[], call: typeof callRefused): Promise<void> => {
      let done = 0;
      let present = tenant;
      await inBatches(some, async (cell) => {
        const { slip } = await call(ground, present, cell, await cell.caller.headers());
        if (slip !== undefined) failures.push(slip);
        done += 1;
        // A table has room for some 200 views, a base for as many automations, and calls that go through make a lot of them.
        if (call === callAllowed && done % 500 === 0) {
          await makeRoom(tenant, present);
          present = {
            ...tenant,
            things: { ...tenant.things, ...(await standingTable(tenant.owner, tenant.things.baseId)) },
          };
        }
        if (done % 1_000 === 0) say(`${done} of ${some.length} ${what}, ${failures.length} wrong`);
      });
    };
    say(`${endpoints.length} endpoints, ${cells.length} cells`);
    // Some credentials are made when they are asked for, which is no doing of the call.
    const ready: Cell[] = [];
    for (const cell of refused) {
      const headers = await cell.caller.headers();
      ready.push({ ...cell, caller: { ...cell.caller, headers: async () => headers } });
    }
    const before = await fingerprint(ground.db);
    await walk('who may not', ready, callRefused);
    const after = await fingerprint(ground.db);
    failures.push(
      ...Object.keys({ ...before, ...after })
        .filter((table) => before[table] !== after[table])
        .map((table) => `calls that were refused have changed ${table}`),
    );
    await walk('who may', allowed, callAllowed);
    const count = (matrix: Cell['matrix'], among: Cell[]): number =>
      among.filter((cell) => cell.matrix === matrix).length;
    return {
      figures: {
        Endpoints: endpoints.length,
        'Cells of role × endpoint': `${count('role', cells)}: ${count('role', allowed)} let through, ${count('role', refused)} refused`,
        'Cells of scope × endpoint (with that scope alone, and with all but it)': `${count('scope', cells)}: ${count('scope', allowed)} let through, ${count('scope', refused)} refused`,
        'Cells where the table by hand lets through whom the contract refuses': compareWithContract(endpoints).length,
        'Cells where the operation itself is stricter than the contract declares': stricterCells(),
        'Cells that answered otherwise': failures.length,
      },
      failures: failures.slice(0, 100),
    };
  } finally {
    await ground.close();
  }
};

export const authorisation: Part = { name: 'authorisation', title: 'Authorisation', run };
