import * as department from '@rowhouse/contract/department.ts';
import * as enterprise from '@rowhouse/contract/enterprise.ts';
import * as contract from '@rowhouse/contract/organization.ts';
import { selectMembership } from '../../catalog/organization-sign-in.sql.ts';
import { type Route, route } from '../../endpoint/route.ts';
import {
  addDepartmentUsers,
  createDepartment,
  deleteDepartment,
  moveDepartmentUsers,
  removeDepartmentUsers,
  setDepartmentsOfUser,
  updateDepartment,
} from './change-departments.ts';
import {
  addOrganizationUsers,
  createOrganizationUsers,
  removeOrganizationUsers,
  setMemberActive,
  updateOrganizationUser,
} from './change-members.ts';
import {
  renameOrganization,
  setDepartmentScope,
  setOnlyProvider,
  setOrganizationAutoSpace,
} from './change-organization-settings.ts';
import { addOrganizationSpace, removeOrganizationSpace } from './change-spaces.ts';
import { checkDomain } from './check-domain.ts';
import {
  claimDomain,
  listDomains,
  listVerifiedDomains,
  removeDomain,
  removeVerifiedDomain,
  verifyDomain,
} from './claim-domain.ts';
import {
  createOrganization,
  deleteOrganization,
  getInstanceOrganization,
  listOrganizationAdmins,
  listOrganizations,
  setOrganizationAdmin,
} from './manage-organizations.ts';
import {
  createAuthentication,
  deleteAuthentication,
  getAuthentication,
  listAuthenticationProviders,
  listAuthentications,
  updateAuthentication,
} from './manage-providers.ts';
import { getDepartment, listOrganizationDepartments, listOrganizationDepartmentUsers } from './read-departments.ts';
import {
  countOrganizationSpaces,
  getOrganization,
  getOrganizationMe,
  getOrganizationSetting,
  getOrganizationSpace,
  getOrganizationUser,
  getOwnOrganization,
  haveOrganizationUsers,
  listOrganizationSpaceNames,
  listOrganizationSpaces,
  listOrganizationUsers,
} from './read-organization.ts';

export const organizationRoutes: Route[] = [
  route(contract.listOrganizations, (context, { query }) => listOrganizations(context, query)),
  route(contract.createOrganization, (context, { body }) => createOrganization(context, body.name)),
  route(contract.deleteOrganization, (context, { params }) => deleteOrganization(context, params.organizationId)),
  route(contract.listOrganizationAdmins, (context, { params }) =>
    listOrganizationAdmins(context, params.organizationId),
  ),
  route(contract.setOrganizationAdmin, (context, { params, body }) =>
    setOrganizationAdmin(context, params.organizationId, body),
  ),
  route(contract.getInstanceOrganization, (context) =>
    getInstanceOrganization(
      context,
      async (id) => (await selectMembership(context.db, context.principal.userId))?.organizationId === id,
    ),
  ),
  route(contract.getOwnOrganization, (context) => getOwnOrganization(context)),
  route(contract.getOrganizationMe, (context, { params }) => getOrganizationMe(context, params.organizationId)),
  route(contract.getOrganization, (context, { params }) => getOrganization(context, params.organizationId)),
  route(contract.renameOrganization, (context, { params, body }) =>
    renameOrganization(context, params.organizationId, body.name),
  ),
  route(contract.getOrganizationSetting, (context, { params }) =>
    getOrganizationSetting(context, params.organizationId),
  ),
  route(contract.setOrganizationAutoSpace, (context, { params, body }) =>
    setOrganizationAutoSpace(context, params.organizationId, body),
  ),
  route(contract.setDepartmentScope, (context, { params, body }) =>
    setDepartmentScope(context, params.organizationId, body),
  ),
  route(contract.listOrganizationUsers, (context, { params, query }) =>
    listOrganizationUsers(context, params.organizationId, query),
  ),
  route(contract.createOrganizationUsers, (context, { params, body }) =>
    createOrganizationUsers(context, params.organizationId, body),
  ),
  route(contract.addOrganizationUsers, (context, { params, body }) =>
    addOrganizationUsers(context, params.organizationId, body.emails),
  ),
  route(contract.removeOrganizationUsers, (context, { params, body }) =>
    removeOrganizationUsers(context, params.organizationId, body.userIds),
  ),
  route(contract.getOrganizationUser, (context, { params }) => getOrganizationUser(context, params)),
  route(contract.updateOrganizationUser, (context, { params, body }) => updateOrganizationUser(context, params, body)),
  route(contract.deactivateOrganizationUser, (context, { params }) => setMemberActive(context, params, false)),
  route(contract.activateOrganizationUser, (context, { params }) => setMemberActive(context, params, true)),
  route(contract.haveOrganizationUsers, (context, { params, query }) =>
    haveOrganizationUsers(context, params.organizationId, query.userIds),
  ),

  route(department.listOrganizationDepartments, (context, { params, query }) =>
    listOrganizationDepartments(context, params.organizationId, query),
  ),
  route(department.getDepartment, (context, { params }) => getDepartment(context, params)),
  route(department.createDepartment, async (context, { params: { organizationId }, body }) =>
    getDepartment(context, {
      organizationId,
      departmentId: await createDepartment(context, organizationId, body),
    }),
  ),
  route(department.renameDepartment, (context, { params, body }) => updateDepartment(context, params, body)),
  route(department.moveDepartment, (context, { params, body }) => updateDepartment(context, params, body)),
  route(department.deleteDepartment, (context, { params }) => deleteDepartment(context, params)),
  route(department.listOrganizationDepartmentUsers, (context, { params, query }) =>
    listOrganizationDepartmentUsers(context, params.organizationId, query),
  ),
  route(department.addDepartmentUsers, (context, { params, body }) =>
    addDepartmentUsers(context, params.organizationId, body),
  ),
  route(department.removeDepartmentUsers, (context, { params, query }) =>
    removeDepartmentUsers(context, params.organizationId, query),
  ),
  route(department.moveDepartmentUsers, (context, { params, body }) =>
    moveDepartmentUsers(context, params.organizationId, body),
  ),
  route(department.setDepartmentsOfUser, (context, { params, body }) =>
    setDepartmentsOfUser(context, params.organizationId, body),
  ),

  route(enterprise.listDomains, (context, { params }) => listDomains(context, params.organizationId)),
  route(enterprise.claimDomain, (context, { params, body }) =>
    claimDomain(context, params.organizationId, body.domain),
  ),
  route(enterprise.checkDomain, (context, { params }) => checkDomain(context, params)),
  route(enterprise.removeDomain, (context, { params }) => removeDomain(context, params)),
  route(enterprise.listVerifiedDomains, (context, { params }) => listVerifiedDomains(context, params.organizationId)),
  route(enterprise.verifyDomain, (context, { params, body }) => verifyDomain(context, params.organizationId, body)),
  route(enterprise.removeVerifiedDomain, (context, { params, query }) =>
    removeVerifiedDomain(context, params.organizationId, query.domain),
  ),
  route(enterprise.listAuthentications, (context, { params }) => listAuthentications(context, params.organizationId)),
  route(enterprise.createAuthentication, (context, { params, body }) =>
    createAuthentication(context, params.organizationId, body),
  ),
  route(enterprise.listAuthenticationProviders, (context, { params }) =>
    listAuthenticationProviders(context, params.organizationId),
  ),
  route(enterprise.getAuthentication, (context, { params }) => getAuthentication(context, params)),
  route(enterprise.updateAuthentication, (context, { params, body }) => updateAuthentication(context, params, body)),
  route(enterprise.deleteAuthentication, (context, { params }) => deleteAuthentication(context, params)),
  route(enterprise.setOnlyProvider, (context, { params, body }) =>
    setOnlyProvider(context, params.organizationId, body.providerId),
  ),
  route(enterprise.listOrganizationSpaceNames, (context, { params }) =>
    listOrganizationSpaceNames(context, params.organizationId),
  ),
  route(enterprise.countOrganizationSpaces, (context, { params }) =>
    countOrganizationSpaces(context, params.organizationId),
  ),
  route(enterprise.listOrganizationSpaces, (context, { params, query }) =>
    listOrganizationSpaces(context, params.organizationId, query),
  ),
  route(enterprise.getOrganizationSpace, (context, { params }) => getOrganizationSpace(context, params)),
  route(enterprise.addOrganizationSpace, (context, { params }) => addOrganizationSpace(context, params)),
  route(enterprise.removeOrganizationSpace, (context, { params }) => removeOrganizationSpace(context, params)),
];
