// The name of an organisation, and what happens by itself in it.
import { invalid } from '@rowhouse/contract/error.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import { selectProvidersOf } from '../../catalog/organization-sign-in.sql.ts';
import type { Context } from '../../context.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { changeOrganization } from './demand-organization.ts';
import { type Organization, saveOrganization, selectSpaceIdsOf } from './organization.sql.ts';

export const renameOrganization = (context: Context, organizationId: string, name: string): Promise<void> =>
  changeOrganization(context, organizationId, (tx, before) => saveOrganization(tx, { ...before, name }));

type AutoSpace = Pick<Organization, 'autoSpaceType'> & { autoSpaceIds?: string[] };

export const setOrganizationAutoSpace = (
  context: Context,
  organizationId: string,
  { autoSpaceType, autoSpaceIds = [] }: AutoSpace,
): Promise<AutoSpace> =>
  changeOrganization(context, organizationId, async (tx, before) => {
    demandFeature(context, 'organizationEnable');
    const owned = await selectSpaceIdsOf(tx, organizationId);
    const strange = autoSpaceIds.findIndex((id) => !owned.includes(id));
    if (strange !== -1)
      throw invalid({
        path: `autoSpaceIds[${strange}]`,
        message: `This organisation has no space ${autoSpaceIds[strange]}`,
      });
    if (autoSpaceType !== 'selected' && autoSpaceIds.length > 0)
      throw invalid({ path: 'autoSpaceIds', message: 'Spaces are named with autoSpaceType "selected" only' });
    await saveOrganization(tx, { ...before, autoSpaceType, autoSpaceIds });
    return { autoSpaceType, autoSpaceIds };
  });

export const setDepartmentScope = (
  context: Context,
  organizationId: string,
  { departmentScope }: Pick<Organization, 'departmentScope'>,
): Promise<Pick<Organization, 'departmentScope'>> =>
  changeOrganization(context, organizationId, async (tx, before) => {
    await saveOrganization(tx, { ...before, departmentScope });
    return { departmentScope };
  });

/** Taking it back is possible whatever the plan is. */
export const setOnlyProvider = (context: Context, organizationId: string, providerId: string | null): Promise<void> =>
  changeOrganization(context, organizationId, async (tx, before) => {
    if (providerId !== null) {
      demandFeature(context, 'authenticationEnable');
      const known = (await selectProvidersOf(tx, organizationId)).some(({ id }) => id === providerId);
      if (!known) throw invalid({ path: 'providerId', message: `This organisation has no provider ${providerId}` });
    }
    await saveOrganization(tx, { ...before, onlyProviderId: providerId });
    const spaceIds = await selectSpaceIdsOf(tx, organizationId);
    const target = { organizationId, onlyProviderId: providerId };
    await writeAudit(tx, doerOf(context), 'organization.signInChanged', { spaceIds }, target);
  });
