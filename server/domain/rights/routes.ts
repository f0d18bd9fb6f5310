import * as contract from '@rowhouse/contract/authority-matrix.ts';
import { type Route, route } from '../../endpoint/route.ts';
import { checkAuthorityMatrix } from './check-matrix.ts';
import { createAuthorityRole } from './create-role.ts';
import { deleteAuthorityRole } from './delete-role.ts';
import { duplicateAuthorityRole } from './duplicate-role.ts';
import { listAuthorityRoleFilterRecords } from './list-role-filter-records.ts';
import { getAuthorityMatrix, getAuthorityRole, listAuthorityRoles } from './read-matrix.ts';
import { setAuthorityMatrixAdmins } from './set-admins.ts';
import { setDefaultAuthorityRole } from './set-default-role.ts';
import { setAuthorityRoleMembers } from './set-role-members.ts';
import { setAuthorityMatrixStatus } from './set-status.ts';
import {
  describeAuthorityRole,
  renameAuthorityRole,
  setAuthorityRoleStatus,
  updateAuthorityRole,
} from './update-role.ts';

export const rightsRoutes: Route[] = [
  route(contract.setAuthorityMatrixStatus, (context, { params, body }) =>
    setAuthorityMatrixStatus(context, params.baseId, body),
  ),
  route(contract.getAuthorityMatrix, (context, { params }) => getAuthorityMatrix(context, params.baseId)),
  route(contract.setDefaultAuthorityRole, (context, { params, body }) =>
    setDefaultAuthorityRole(context, params.baseId, body),
  ),
  route(contract.setAuthorityMatrixAdmins, (context, { params, body }) =>
    setAuthorityMatrixAdmins(context, params.baseId, body),
  ),
  route(contract.createAuthorityRole, (context, { params, body }) => createAuthorityRole(context, params.baseId, body)),
  route(contract.listAuthorityRoles, (context, { params }) => listAuthorityRoles(context, params.baseId)),
  route(contract.getAuthorityRole, (context, { params }) => getAuthorityRole(context, params)),
  route(contract.updateAuthorityRole, (context, { params, body }) => updateAuthorityRole(context, params, body)),
  route(contract.deleteAuthorityRole, (context, { params }) => deleteAuthorityRole(context, params)),
  route(contract.setAuthorityRoleStatus, (context, { params, body }) => setAuthorityRoleStatus(context, params, body)),
  route(contract.renameAuthorityRole, (context, { params, body }) => renameAuthorityRole(context, params, body)),
  route(contract.describeAuthorityRole, (context, { params, body }) => describeAuthorityRole(context, params, body)),
  route(contract.setAuthorityRoleMembers, (context, { params, body }) =>
    setAuthorityRoleMembers(context, params, body),
  ),
  route(contract.duplicateAuthorityRole, (context, { params, body }) => duplicateAuthorityRole(context, params, body)),
  route(contract.checkAuthorityMatrix, (context, { params }) => checkAuthorityMatrix(context, params.baseId)),
  route(contract.listAuthorityRoleFilterRecords, (context, { params, query }) =>
    listAuthorityRoleFilterRecords(context, params, query),
  ),
];
