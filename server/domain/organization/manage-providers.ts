// Providers of OpenID Connect that an organisation has for its people. Secrets go in and never come out.
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type * as contract from '@rowhouse/contract/enterprise.ts';
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { type OrganizationProviderRow, selectProvidersOf } from '../../catalog/organization-sign-in.sql.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { deleteSourceOfHome, lockHomes, selectHomes } from '../group/group.sql.ts';
import { settleGroups } from '../group/settle-groups.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { changeOrganization, demandAdmin, demandMember } from './demand-organization.ts';
import { saveOrganization, selectSpaceIdsOf } from './organization.sql.ts';
import { deleteProvider, insertProvider, saveProvider } from './provider.sql.ts';

type Input = BodyOf<typeof contract.createAuthentication>;
const most = 10;

const providerVo = (
  { publicUrl }: Pick<Context, 'publicUrl'>,
  { id, name, issuer, clientId, config }: OrganizationProviderRow,
): contract.OrganizationProvider => {
  const place = `${publicUrl()}/api/auth/oidc/${id}`;
  return {
    id,
    type: 'oidc',
    name,
    config: { ...config, issuer, clientId },
    callbackUrl: `${place}/callback`,
    backchannelLogoutUrl: `${place}/backchannel-logout`,
  };
};

const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Anyone who may speak for the issuer may sign people in: its address is as good as a key. */
const demandIssuer = ({ config: { providerNetworks } }: Pick<Context, 'config'>, issuer: string): void => {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isPlain = url?.protocol === 'http:' && isLoopback(url) && providerNetworks.length > 0;
  if (url === undefined || url.search !== '' || url.hash !== '' || url.username !== '')
    throw invalid({
      path: 'config.issuer',
      message: 'Must be an address such as https://id.example.com, without ? and #',
    });
  if (url.protocol !== 'https:' && !isPlain)
    throw invalid({ path: 'config.issuer', message: 'Must begin with https://' });
};

/** Rules lead to departments, which have in a space what its owners have given them: nobody gets into a space by a rule alone. */
const demandGroups = async (tx: Tx, organizationId: string, { config }: Input): Promise<void> => {
  const { groups = [], groupsClaim } = config;
  if (groups.length > 0 && groupsClaim === undefined)
    throw invalid({ path: 'config.groupsClaim', message: 'Needed with config.groups: the claim that has the values' });
  const homes = await selectHomes(
    tx,
    groups.map(({ group }) => group),
  );
  const own = new Set(homes.filter(({ id }) => id === organizationId).map(({ groupId }) => groupId));
  const issues = groups.flatMap(({ group }, at) =>
    own.has(group)
      ? []
      : [{ path: `config.groups[${at}].group`, message: `This organisation has no department ${group}` }],
  );
  if (issues.length > 0) throw invalid(issues);
};

const stored = (context: Context, organizationId: string, id: string, { name, config }: Input) => {
  const { issuer, clientId, clientSecret, authorizationUrl: _a, tokenUrl: _t, userInfoUrl: _u, ...rest } = config;
  if (rest.scopes !== undefined && !rest.scopes.includes('openid'))
    throw invalid({ path: 'config.scopes', message: 'Must include "openid"' });
  const sealedSecret = clientSecret === undefined ? undefined : context.secretKey.seal(clientSecret);
  return { id, organizationId, name, issuer, clientId, sealedSecret, config: rest };
};

const tell = async (tx: Tx, context: Context, organizationId: string, target: object): Promise<void> =>
  writeAudit(
    tx,
    doerOf(context),
    'organization.signInChanged',
    { spaceIds: await selectSpaceIdsOf(tx, organizationId) },
    { organizationId, ...target },
  );

const find = async (context: Context, organizationId: string, id: string): Promise<contract.OrganizationProvider> => {
  const found = (await selectProvidersOf(context.db, organizationId)).find((one) => one.id === id);
  if (found === undefined) throw notFound('Provider', id);
  return providerVo(context, found);
};

export const listAuthentications = async (
  context: Context,
  organizationId: string,
): Promise<contract.OrganizationProvider[]> => {
  await demandAdmin(context, organizationId);
  return (await selectProvidersOf(context.db, organizationId)).map((row) => providerVo(context, row));
};

export const listAuthenticationProviders = async (
  context: Context,
  organizationId: string,
): Promise<ResponseOf<typeof contract.listAuthenticationProviders>> => {
  await demandMember(context, organizationId);
  const providers = await selectProvidersOf(context.db, organizationId);
  return providers.map(({ id, name }) => ({ id, name, type: 'oidc' }));
};

interface ProviderPath {
  organizationId: string;
  providerId: string;
}

export const getAuthentication = async (
  context: Context,
  { organizationId, providerId }: ProviderPath,
): Promise<contract.OrganizationProvider> => {
  await demandAdmin(context, organizationId);
  return find(context, organizationId, providerId);
};

export const createAuthentication = async (
  context: Context,
  organizationId: string,
  input: Input,
): Promise<contract.OrganizationProvider> => {
  const id = context.newId('idp');
  await changeOrganization(context, organizationId, async (tx) => {
    demandFeature(context, 'authenticationEnable');
    demandIssuer(context, input.config.issuer);
    await demandGroups(tx, organizationId, input);
    if ((await selectProvidersOf(tx, organizationId)).length >= most)
      throw invalid({ path: 'name', message: `An organisation can have ${most} providers` });
    const { sealedSecret = null, ...rest } = stored(context, organizationId, id, input);
    await insertProvider(tx, { ...rest, sealedSecret });
    await tell(tx, context, organizationId, { provider: id, issuer: input.config.issuer });
  });
  return find(context, organizationId, id);
};

export const updateAuthentication = async (
  context: Context,
  { organizationId, providerId }: ProviderPath,
  input: Input,
): Promise<contract.OrganizationProvider> => {
  await changeOrganization(context, organizationId, async (tx) => {
    demandFeature(context, 'authenticationEnable');
    demandIssuer(context, input.config.issuer);
    await demandGroups(tx, organizationId, input);
    const before = (await selectProvidersOf(tx, organizationId)).find(({ id }) => id === providerId);
    if (before === undefined) throw notFound('Provider', providerId);
    // The secret of one issuer is not sent to another.
    if (
      before.issuer !== input.config.issuer &&
      before.sealedSecret !== null &&
      input.config.clientSecret === undefined
    )
      throw invalid({ path: 'config.clientSecret', message: 'Another issuer needs its own secret' });
    await saveProvider(tx, stored(context, organizationId, providerId, input));
    await tell(tx, context, organizationId, { provider: providerId, issuer: input.config.issuer });
  });
  return find(context, organizationId, providerId);
};

export const deleteAuthentication = (context: Context, { organizationId, providerId }: ProviderPath): Promise<void> =>
  changeOrganization(context, organizationId, async (tx, organization) => {
    if (!(await deleteProvider(tx, organizationId, providerId))) throw notFound('Provider', providerId);
    if (organization.onlyProviderId === providerId)
      await saveOrganization(tx, { ...organization, onlyProviderId: null });
    const spaceIds = (await lockHomes(tx, [{ type: 'organization', id: organizationId }])).get(organizationId) ?? [];
    await settleGroups(tx, context, { homeId: organizationId, spaceIds }, () =>
      deleteSourceOfHome(tx, organizationId, `oidc:${providerId}`),
    );
    await tell(tx, context, organizationId, { provider: providerId, deleted: true });
  });
