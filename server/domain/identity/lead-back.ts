// Where a browser goes that comes back from a provider: always to a page of this server.
import type { SignInProblem } from '@rowhouse/contract/identity.ts';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { Environment } from '../../context.ts';
import { Answer } from '../../endpoint/route.ts';

export const redirectTo = (location: string, cookies: readonly string[] = []): Answer =>
  new Answer({
    status: 302,
    headers: { location, 'cache-control': 'no-store', ...(cookies.length === 0 ? {} : { 'set-cookie': [...cookies] }) },
  });

interface Wanted {
  /** A path of this server. */
  redirect: string;
  /** Whose identity is linked; null: somebody signs in. */
  userId: string | null;
}

/** Absolute: `/.//host` would be `//host` for anyone who shortens it. */
export const addressOf = ({ publicUrl }: Pick<Environment, 'publicUrl'>, path: string): string => {
  const base = new URL(publicUrl());
  const url = new URL(path, base);
  return url.origin === base.origin ? url.href : new URL('/', base).href;
};

export const failedAt = (
  context: Pick<Environment, 'publicUrl'>,
  provider: SignInProvider,
  problem: SignInProblem,
  { redirect, userId }: Wanted,
): Answer => {
  const url = new URL(addressOf(context, userId === null ? '/login' : '/account'));
  url.searchParams.set('problem', problem);
  url.searchParams.set('provider', provider.id);
  if (userId === null && redirect !== '/') url.searchParams.set('redirect', redirect);
  return redirectTo(url.href);
};
