// What the page of rights asks the server for.
import {
  type AuthorityRole,
  checkAuthorityMatrix,
  getAuthorityMatrix,
  getAuthorityRole,
  listAuthorityRoles,
} from '@rowhouse/contract/authority-matrix.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

export type { AuthorityRole };
type GrantedTable = AuthorityRole['tables'][number];
export type Grant = NonNullable<GrantedTable['grants']>[number];

export const matrixQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['rights', baseId, 'matrix'],
    queryFn: async ({ signal }) => (await call(getAuthorityMatrix, { params: { baseId }, signal }))[0] ?? null,
  });

/** With what they grant. */
export const rolesQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['rights', baseId, 'roles'],
    queryFn: async ({ signal }) => {
      const heads = await call(listAuthorityRoles, { params: { baseId }, signal });
      return Promise.all(
        heads.map(({ id }) => call(getAuthorityRole, { params: { baseId, authorityMatrixRoleId: id }, signal })),
      );
    },
  });

/** What is probably not meant. */
export const findingsQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['rights', baseId, 'check'],
    queryFn: async ({ signal }) => (await call(checkAuthorityMatrix, { params: { baseId }, signal })).findings,
  });

export const reloadRights = (baseId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['rights', baseId] });

/** A list of tables as it is sent: in the form that says everything. */
export const tablesToSend = (
  role: AuthorityRole,
  tableId: string,
  next: { grants: Grant[]; recordFacts: boolean } | null,
) => {
  const others = role.tables.filter((table) => table.tableId !== tableId);
  const sent = others.map(({ tableId: id, grants = [], enabledViewIds, recordFacts, enabledTime }) => ({
    tableId: id,
    grants,
    ...(enabledViewIds == null ? {} : { enabledViewIds }),
    ...(recordFacts === undefined ? {} : { recordFacts }),
    enabled: enabledTime !== undefined,
  }));
  const before = role.tables.find((table) => table.tableId === tableId);
  if (next === null) return sent;
  return [
    ...sent,
    {
      tableId,
      grants: next.grants,
      recordFacts: next.recordFacts,
      ...(before?.enabledViewIds == null ? {} : { enabledViewIds: before.enabledViewIds }),
    },
  ];
};
