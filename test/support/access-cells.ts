// The cells of the two matrices: endpoint × caller, and endpoint × scope. Each knows who calls and what must come of it.
import { setTimeout } from 'node:timers/promises';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { type Action, actions } from '@rowhouse/contract/permission.ts';
import { routes } from '../../server/app.ts';
import { openPrincipals, type Principal } from './access-principals.ts';
import { accessTable, expectedOutcome, type Outcome, type Row } from './access-table.ts';
import { type Answer, requestFor, send } from './access-request.ts';
import { canary, type Tenant } from './access-tenant.ts';
import { walks } from './access-walk.ts';
import { type Person, person } from './people.ts';
import type { World } from './world.ts';

type Headers = Record<string, string>;

export interface Cell {
  matrix: 'role' | 'scope';
  endpoint: Declaration;
  caller: Principal;
  expected: Outcome;
}

export const endpoints: Declaration[] = routes.map(({ endpoint }) => endpoint);
export const rowOf = ({ name }: Declaration): Row => accessTable[name] ?? ['admin', null, [], 'no app'];

export const roleCells = async (world: World, tenant: Tenant): Promise<Cell[]> => {
  const principalsFor = await openPrincipals(world, tenant);
  return endpoints.flatMap((endpoint) => {
    const row = rowOf(endpoint);
    return principalsFor(row).map((caller) => ({
      matrix: 'role' as const,
      endpoint,
      caller,
      expected: expectedOutcome(row, caller.name),
    }));
  });
};

/** A token cannot manage another one that may do more than itself, and the one of the walk has this scope. */
const passedOn: Action = 'user|email_read';
const managesTokens = new Set([
  'createAccessToken',
  'getAccessToken',
  'updateAccessToken',
  'refreshAccessToken',
  'deleteAccessToken',
]);

const withScopes = (endpoint: Declaration, scopes: readonly Action[]): Outcome => {
  const row = rowOf(endpoint);
  const [where, , needed] = row;
  if (where === 'anyone') return 'ok';
  if (where === 'admin') return 403;
  const asLimited = expectedOutcome(row, 'fewest scopes');
  if (asLimited !== 'ok') return asLimited;
  const wanted = managesTokens.has(endpoint.name) ? [...needed, passedOn] : needed;
  return wanted.every((scope) => scopes.includes(scope)) ? 'ok' : 403;
};

/** For each scope a token of the owner with that one alone, and one with all but it. */
export const scopeCells = async (world: World, { owner }: Tenant): Promise<Cell[]> => {
  const administrator = await person(world, { admin: true });
  const cells: Cell[] = [];
  for (const scope of actions) {
    for (const [label, scopes] of [
      ['only', [scope]],
      ['all but', actions.filter((other) => other !== scope)],
    ] as const) {
      // Made when somebody calls with it: a sample needs few.
      const made = new Map<Person, Promise<{ token: string }>>();
      const headersOf = (of: Person) => async (): Promise<Headers> => {
        const token = made.get(of) ?? of.withToken({ hasFullAccess: true, scopes: [...scopes] });
        made.set(of, token);
        return { authorization: `Bearer ${(await token).token}` };
      };
      for (const endpoint of endpoints) {
        const caller: Principal = {
          name: 'fewest scopes',
          label: `${label} ${scope}`,
          headers: headersOf(rowOf(endpoint)[0] === 'admin' ? administrator : owner),
          admit: async () => undefined,
        };
        cells.push({ matrix: 'scope', endpoint, caller, expected: withScopes(endpoint, scopes) });
      }
    }
  }
  return cells;
};

const codes: Record<number, string> = { 401: 'unauthorized', 403: 'restricted_resource', 404: 'not_found' };

const slipOf = ({ endpoint, caller }: Cell, expected: number | string, answer: Answer): string =>
  `${endpoint.name} as ${caller.label}: ${expected} expected, got ${answer.status} ${answer.text.slice(0, 300)}`;

interface Tried {
  answer: Answer;
  /** What was wrong with it. */
  slip: string | undefined;
}

/** A call that must be refused, with nothing of the tenant in the answer. */
export const callRefused = async (world: World, { things }: Tenant, cell: Cell, headers: Headers): Promise<Tried> => {
  const answer = await send(world, cell.endpoint, requestFor(cell.endpoint, things), headers);
  const code = answer.text.startsWith('{') ? (JSON.parse(answer.text) as { code?: string }).code : undefined;
  const isRight =
    answer.status === cell.expected && code === codes[cell.expected as number] && !answer.text.includes(canary);
  return { answer, slip: isRight ? undefined : slipOf(cell, cell.expected, answer) };
};

const mostTries = 4;

/** On a busy machine changes of one table wait for each other longer than the server lets them. It says when to try again, and nothing has happened by then. */
const sendUntilFree = async (...call: Parameters<typeof send>): Promise<Answer> => {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(...call);
    const seconds = answer.status === 409 ? answer.headers.get('retry-after') : null;
    if (seconds === null || tries === mostTries) return answer;
    await setTimeout(Number(seconds) * 1_000);
  }
};

/** A call that must get through, with what it uses up made for it. */
export const callAllowed = async (world: World, tenant: Tenant, cell: Cell, headers: Headers): Promise<Tried> => {
  const { endpoint, caller } = cell;
  const { fresh, answers } = walks[endpoint.name] ?? {};
  const { bearer, cookie, ...things } = (await fresh?.({ ...tenant, world, caller })) ?? {};
  const ofApplication =
    bearer === undefined || caller.name !== 'application' ? headers : { authorization: `Bearer ${bearer}` };
  const credential = cookie === undefined || caller.name !== 'session' ? ofApplication : { ...ofApplication, cookie };
  const answer = await sendUntilFree(
    world,
    endpoint,
    requestFor(endpoint, { ...tenant.things, ...things }),
    credential,
  );
  const expected = answers ?? endpoint.status;
  return { answer, slip: answer.status === expected ? undefined : slipOf(cell, expected, answer) };
};
