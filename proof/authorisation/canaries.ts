// What a token has no scope for is in no answer: every endpoint with a token for every scope alone, for every scope but one, for one base, and of an application, on a base
// with marks in cells, titles, comments, the trash, the history, notifications, jobs, and with the addresses of all people.
import { oauthScopes } from '@rowhouse/contract/oauth.ts';
import { type Action, actions } from '@rowhouse/contract/permission.ts';
import { inBatches } from '../../test/support/access-request.ts';
import type { Tenant } from '../../test/support/access-tenant.ts';
import { openAviary } from '../../test/support/aviary.ts';
import {
  addressesIn,
  allBut,
  callHidden,
  hiddenFrom,
  type LimitedToken,
  walked,
} from '../../test/support/canary-walk.ts';
import { application, tokensFor } from '../../test/support/oauth.ts';
import type { Ground } from '../ground.ts';

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
    ...lacking.map(([label, scopes]): Wanted => ({ label: `one base, ${label}`, scopes, kind: 'one base' })),
    ...lacking.map(
      ([label, scopes]): Wanted => ({
        label: `application, ${label}`,
        scopes: ofApplication(scopes),
        kind: 'application',
      }),
    ),
  ];
};

const issue = async (ground: Ground, { owner, things }: Tenant, { scopes, kind }: Wanted): Promise<string> => {
  if (kind === 'application')
    return (
      (await tokensFor(ground, owner, await application(owner, { scopes: [...scopes] }))) as { access_token: string }
    ).access_token;
  return (
    await owner.withToken(
      kind === 'one base'
        ? { baseIds: [things.baseId], scopes: [...scopes] }
        : { hasFullAccess: true, scopes: [...scopes] },
    )
  ).token;
};

/** `few`: how many tokens the short version takes. */
export const tryCanaries = async (
  ground: Ground,
  tenant: Tenant,
  few: number,
  shuffled: <T>(items: readonly T[]) => T[],
  say: (line: string) => void,
): Promise<{ failures: string[]; figures: Record<string, number> }> => {
  const failures: string[] = [];
  const tokens = shuffled(wantedTokens()).slice(0, few);
  const reached = new Set<string>();
  let [calls, granted, done] = [0, 0, 0];
  for (const wanted of tokens) {
    // A table has room for some 200 views, and calls that go through make a lot of them.
    const aviary = await openAviary(ground, tenant);
    const limited: LimitedToken = {
      token: await issue(ground, tenant, wanted),
      label: wanted.label,
      scopes: wanted.scopes,
      hidden: hiddenFrom(wanted.scopes, aviary, await addressesIn(ground), wanted.kind === 'one base'),
    };
    await inBatches(walked, async (endpoint) => {
      const { slips, answers } = await callHidden(ground, tenant, aviary, endpoint, limited);
      failures.push(...slips);
      calls += answers.length;
      const through = answers.filter(({ status }) => status < 300);
      granted += through.length;
      if (through.length > 0) reached.add(endpoint.name);
    });
    done += 1;
    if (done % 10 === 0) say(`${done} of ${tokens.length} tokens, ${failures.length} marks seen`);
  }
  return {
    failures,
    figures: {
      'Tokens with a part of the scopes, for one base, or of an application': tokens.length,
      'Requests of these tokens, on a base full of marks': calls,
      'of which were let through': granted,
      'to so many endpoints': reached.size,
      'Answers with a mark that the token has no scope for': failures.length,
    },
  };
};
