// Which providers have the domains of these addresses for themselves, looked up before it is decided about people.
import { findOnlyProvider } from '../../catalog/organization-providers.ts';
import type { SignInProvider } from '../../catalog/sign-in-providers.ts';
import type { Environment } from '../../context.ts';

export const boundDomains = async (
  env: Pick<Environment, 'db' | 'config' | 'secretKey' | 'signInProviders'>,
  emails: readonly (string | null | undefined)[],
): Promise<{ onlyFor(email: string): SignInProvider | undefined }> => {
  const found = new Map<string, SignInProvider | undefined>();
  for (const email of emails)
    if (typeof email === 'string') found.set(email.toLowerCase(), await findOnlyProvider(env, email));
  return { onlyFor: (email) => found.get(email.toLowerCase()) };
};
