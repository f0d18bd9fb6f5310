// What the rights of a base are, for those who manage them.
import type {
  AuthorityRole,
  getAuthorityMatrix as matrixEndpoint,
  listAuthorityRoles as listEndpoint,
} from '@rowhouse/contract/authority-matrix.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { Context } from '../../context.ts';
import { demandManager, findRole } from './change-matrix.ts';
import { selectMatrixHead, selectPeople, selectRoles, type StoredMatrix, type StoredRole } from './matrix.sql.ts';
import { enabled, personVo, roleHeadVo, roleVo } from './role-vo.ts';

/** Undefined: they were never set up. */
export const findMatrix = async (context: Context, baseId: string): Promise<StoredMatrix | undefined> => {
  const matrix = await selectMatrixHead(context.db, baseId);
  demandManager(matrix, { role: context.access.role, userId: context.principal.userId });
  return matrix;
};

export const matrixHeadVo = ({ id, baseId, defaultRoleId, enabledTime }: StoredMatrix) => ({
  id,
  baseId,
  ...(defaultRoleId === null ? {} : { defaultRole: defaultRoleId }),
  ...enabled(enabledTime),
});

export const getAuthorityMatrix = async (
  context: Context,
  baseId: string,
): Promise<ResponseOf<typeof matrixEndpoint>> => {
  const matrix = await findMatrix(context, baseId);
  if (matrix === undefined) return [];
  const people = await selectPeople(context.db, matrix.adminIds);
  return [{ ...matrixHeadVo(matrix), adminUsers: people.map((person) => personVo(context.principal, person)) }];
};

export const listAuthorityRoles = async (
  context: Context,
  baseId: string,
): Promise<ResponseOf<typeof listEndpoint>> => {
  await findMatrix(context, baseId);
  return (await selectRoles(context.db, baseId)).map((role) => roleHeadVo(context.principal, role));
};

export const readRole = async (context: Context, baseId: string, roleId: string): Promise<StoredRole> => {
  await findMatrix(context, baseId);
  return findRole(await selectRoles(context.db, baseId, roleId), roleId);
};

export const getAuthorityRole = async (
  context: Context,
  { baseId, authorityMatrixRoleId }: { baseId: string; authorityMatrixRoleId: string },
): Promise<AuthorityRole> => roleVo(context.principal, await readRole(context, baseId, authorityMatrixRoleId));
