import { notFound } from '@rowhouse/contract/error.ts';
import { actions } from '@rowhouse/contract/permission.ts';
import { can, isBound } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { selectBase, selectBaseAlone } from './base.sql.ts';
import { showBase, type ShownBase } from './show-base.ts';

/** As visitors of a share see it: they have nothing to do with its space. */
const shownToVisitor = async ({ db }: Context, baseId: string): Promise<ShownBase> => {
  const base = await selectBaseAlone(db, baseId);
  if (base === undefined) throw notFound('Base', baseId);
  return { ...base, spaceId: '', role: 'viewer', collaboratorType: 'base', isBound: true };
};

export const getBase = async (context: Context, baseId: string): Promise<ShownBase> => {
  const { db, principal, access } = context;
  if (principal.visits !== undefined) return shownToVisitor(context, baseId);
  const row = await selectBase(db, principal.userId, baseId);
  if (row === undefined) throw notFound('Base', baseId);
  return showBase({ ...row, isBound: isBound(access) });
};

/** Every action below the space. A role on a base says nothing about its space, so those are left out. */
export const getBasePermission = async ({ access }: Context): Promise<Record<string, boolean>> =>
  Object.fromEntries(
    actions.filter((action) => !action.startsWith('space|')).map((action) => [action, can(access, action)]),
  );
