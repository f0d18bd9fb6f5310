import { actions } from '@rowhouse/contract/permission.ts';
import { can } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';

/** Every action below the space. A role on a base says nothing about its space, so those are left out. */
export const getBasePermission = async ({ access }: Context): Promise<Record<string, boolean>> =>
  Object.fromEntries(actions.filter((action) => !action.startsWith('space|')).map((action) => [action, can(access, action)]));
