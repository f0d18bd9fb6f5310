// What a token has no scope for is in no answer: every endpoint with a token for every scope alone, for every scope but one, for one base, and of an application, on a base
// with marks in cells, titles, comments, the trash, the history, notifications, jobs, and with the addresses of all people.
import { oauthScopes } from '@rowhouse/contract/oauth.ts';
import { type Action, actions } from '@rowhouse/contract/permission.ts';
import { openTenant, type Tenant } from '../../test/support/access-tenant.ts';
import { openAviary } from '../../test/support/aviary.ts';
import {
  addressesIn,
  allBut,
  callHidden,
  hiddenFrom,
  type LimitedToken,
  walked,
} from '../../test/support/canary-walk.ts';
import { startOutside } from '../../test/support/canary-setups.ts';
import { neverByToken, slipsOfNever } from '../../test/support/never-by-token.ts';
import { application, tokensFor } from '../../test/support/oauth.ts';
import { type Ground, openGround } from '../ground.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { randomFrom } from '../random.ts';

interface Wanted {
  label: string;
  scopes: readonly Action[];
  kind: 'everywhere' | 'one base' | 'application';
}

const wantedTokens = (): Wanted[] => {
  const everywhere = [
    ...actions.map((scope): [string, Action[]] => [`only ${scope}`, [scope]]),
    ...actions.map((scope): [string, Action[]] => [`all but ${scope}`, allBut(scope)]),
    ['all but both', allBut('record|read', 'user|email_read')] as [string, Action[]],
  ];
  const lacking: [string, Action[]][] = [
    ['all', allBut()],
    ['all but record|read', allBut('record|read')],
    ['all but user|email_read', allBut('user|email_read')],
  ];
  const ofApplication = (scopes: readonly Action[]): Action[] =>
    scopes.filter((scope) => (oauthScopes as readonly Action[]).includes(scope));
  return [
    ...everywhere.map(([label, scopes]): Wanted => ({ label, scopes, kind: 'everywhere' })),
    ...[...lacking, ...actions.map((scope): [string, Action[]] => [`only ${scope}`, [scope]])].map(
      ([label, scopes]): Wanted => ({ label: `one base, ${label}`, scopes, kind: 'one base' }),
    ),
    ...lacking.map(
      ([label, scopes]): Wanted => ({
        label: `application, ${label}`,
        scopes: ofApplication(scopes),
        kind: 'application',
      }),
    ),
  ];
};

const issue = async (
  ground: Ground,
  { owner, things }: Tenant,
  { scopes, kind }: Wanted,
  baseId = things.baseId,
): Promise<string> => {
  if (kind === 'application')
    return (
      (await tokensFor(ground, owner, await application(owner, { scopes: [...scopes] }))) as { access_token: string }
    ).access_token;
  return (
    await owner.withToken(
      kind === 'one base' ? { baseIds: [baseId], scopes: [...scopes] } : { hasFullAccess: true, scopes: [...scopes] },
    )
  ).token;
};

const shortSample = 2;
const atOnce = 2;

const run = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const failures: string[] = [];
  const shuffled = randomFrom(seed).shuffled(wantedTokens());
  const tokens = scale === 'full' ? shuffled : shuffled.slice(0, shortSample);
  const reached = new Set<string>();
  let [calls, granted, done] = [0, 0, 0];
  const outside = await startOutside();
  const ground = await openGround({ ROWHOUSE_INVITATIONS_PER_HOUR: '1000000', ...outside.env });
  const walk = async (wanted: Wanted): Promise<void> => {
    // Of its own for each token: what the calls make and change stays small, and is in nobody else's way.
    const tenant = await openTenant(ground);
    const aviary = await openAviary(ground, tenant);
    const limited: LimitedToken = {
      token: await issue(ground, tenant, wanted),
      label: wanted.label,
      scopes: wanted.scopes,
      ...(wanted.kind === 'application' ? { kind: 'application' as const } : {}),
      ...(wanted.kind === 'one base' ? { reissue: (baseId: string) => issue(ground, tenant, wanted, baseId) } : {}),
      hidden: hiddenFrom(wanted.scopes, aviary, await addressesIn(ground), wanted.kind === 'one base'),
    };
    for (const endpoint of walked) {
      const { slips, answers, isReached } = await callHidden(ground, tenant, aviary, endpoint, limited, outside);
      failures.push(...slips);
      calls += answers.length;
      granted += answers.filter(({ status }) => status < 400).length;
      if (isReached) reached.add(endpoint.name);
    }
    done += 1;
    if (done % 10 === 0) say(`${done} of ${tokens.length} tokens, ${failures.length} marks seen`);
  };
  try {
    const queue = [...tokens];
    const walker = async (): Promise<void> => {
      for (let wanted = queue.shift(); wanted !== undefined; wanted = queue.shift()) await walk(wanted);
    };
    await Promise.all(Array.from({ length: atOnce }, walker));
  } finally {
    await ground.close();
    await outside.close();
  }
  const marks = failures.length;
  // Two tokens reach a part only; test/api/canary.test.ts asks the same of tokens with all scopes.
  if (scale === 'full')
    failures.push(
      ...slipsOfNever(
        walked.map(({ name }) => name),
        reached,
      ),
    );
  return {
    figures: {
      'Tokens with a part of the scopes, for one base, or of an application': tokens.length,
      'Requests of these tokens, on a base full of marks': calls,
      'of which were let through': granted,
      'Endpoints walked': walked.length,
      'Endpoints that let some token through': reached.size,
      'Endpoints that no token ever gets through, each with its reason': Object.keys(neverByToken).length,
      'Answers with a mark that the token has no scope for': marks,
    },
    failures: failures.slice(0, 100),
  };
};

export const scopes: Part = { name: 'scopes', title: 'What a token may not see', run };
