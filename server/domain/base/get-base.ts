import { notFound } from '@rowhouse/contract/error.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { can, isBound } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { selectBase } from './base.sql.ts';
import { showBase, type ShownBase } from './show-base.ts';

export const getBase = async ({ db, principal, access }: Context, baseId: string): Promise<ShownBase> => {
  const row = await selectBase(db, principal.userId, baseId);
  if (row === undefined) throw notFound('Base', baseId);
  return showBase({ ...row, isBound: isBound(access) });
};

/** Every action below the space. A role on a base says nothing about its space, so those are left out. */
export const getBasePermission = async ({ access }: Context): Promise<Record<string, boolean>> =>
  Object.fromEntries(
    actions.filter((action) => !action.startsWith('space|')).map((action) => [action, can(access, action)]),
  );
