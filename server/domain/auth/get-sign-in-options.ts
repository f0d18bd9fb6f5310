// GET /auth/options
import type { getSignInOptions as declared } from '@rowhouse/contract/auth.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { hasProviders, selectProvidersOfDomain } from '../../catalog/organization-sign-in.sql.ts';
import { domainOf } from '../../catalog/sign-in-providers.ts';
import type { Environment } from '../../context.ts';
import { selectDecisions } from '../setting/setting.sql.ts';

/** Administrators can close what the configuration leaves open, not the other way round. */
export const getSignInOptions = async (
  { db, config, signInProviders }: Pick<Environment, 'db' | 'config' | 'signInProviders'>,
  { email }: { email?: string } = {},
): Promise<ResponseOf<typeof declared>> => ({
  signUp: config.signUp === 'open' && (await selectDecisions(db)).disallowSignUp ? 'invited' : config.signUp,
  sendsEmail: config.smtpUrl !== null,
  providers: [
    ...signInProviders.list.map(({ id, name }) => ({ id, name })),
    ...(email === undefined ? [] : await selectProvidersOfDomain(db, domainOf(email))),
  ],
  organizations: await hasProviders(db),
});
