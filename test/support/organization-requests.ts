// How the walks call what concerns one organisation: one that is not there. Who may what in one that is there is in test/api/organization.test.ts.
const organizationId = 'orgNone';
const userId = 'usrNone';
const departmentId = 'odpNone';
const spaceId = 'spcNone';
const providerId = 'idpNone';
const domainId = 'odmNone';
const domain = 'example.org';
const userIds = [userId];
const provider = {
  type: 'oidc',
  name: 'Provider',
  config: { issuer: 'https://id.example.org', clientId: 'rowhouse', clientSecret: 'a secret of nobody' },
};

interface Request {
  params: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const ask = (params: Record<string, string> = {}, rest: Omit<Request, 'params'> = {}): Request => ({
  params: { organizationId, ...params },
  ...rest,
});

export const organizationRequests: Readonly<Record<string, Request>> = {
  getOrganizationMe: ask(),
  getOrganization: ask(),
  renameOrganization: ask({}, { body: { name: 'Renamed' } }),
  getOrganizationSetting: ask(),
  setOrganizationAutoSpace: ask({}, { body: { autoSpaceType: 'none' } }),
  setDepartmentScope: ask({}, { body: { departmentScope: 'all' } }),
  listOrganizationUsers: ask(),
  createOrganizationUsers: ask({}, { body: [{ email: 'someone@example.org' }] }),
  addOrganizationUsers: ask({}, { body: { emails: ['someone@example.org'] } }),
  removeOrganizationUsers: ask({}, { body: { userIds } }),
  getOrganizationUser: ask({ userId }),
  updateOrganizationUser: ask({ userId }, { body: { isAdmin: false } }),
  deactivateOrganizationUser: ask({ userId }),
  activateOrganizationUser: ask({ userId }),
  haveOrganizationUsers: ask({}, { query: { userIds } }),
  listOrganizationDepartments: ask(),
  getDepartment: ask({ departmentId }),
  createDepartment: ask({}, { body: { name: 'Department' } }),
  renameDepartment: ask({ departmentId }, { body: { name: 'Renamed' } }),
  moveDepartment: ask({ departmentId }, { body: { parentId: null } }),
  deleteDepartment: ask({ departmentId }),
  listOrganizationDepartmentUsers: ask(),
  addDepartmentUsers: ask({}, { body: { departmentIds: [departmentId], userIds } }),
  removeDepartmentUsers: ask({}, { query: { departmentId, userIds } }),
  moveDepartmentUsers: ask({}, { body: { departmentId, toDepartmentId: departmentId, userIds } }),
  setDepartmentsOfUser: ask({}, { body: { departmentIds: [], userId } }),
  listDomains: ask(),
  claimDomain: ask({}, { body: { domain } }),
  checkDomain: ask({ domainId }),
  removeDomain: ask({ domainId }),
  listVerifiedDomains: ask(),
  verifyDomain: ask({}, { body: { domain, verifyCode: 'none' } }),
  removeVerifiedDomain: ask({}, { query: { domain } }),
  listAuthentications: ask(),
  createAuthentication: ask({}, { body: provider }),
  getAuthentication: ask({ providerId }),
  updateAuthentication: ask({ providerId }, { body: provider }),
  deleteAuthentication: ask({ providerId }),
  listAuthenticationProviders: ask(),
  setOnlyProvider: ask({}, { body: { providerId: null } }),
  listOrganizationSpaceNames: ask(),
  countOrganizationSpaces: ask(),
  listOrganizationSpaces: ask(),
  getOrganizationSpace: ask({ spaceId }),
  addOrganizationSpace: ask({ spaceId }),
  removeOrganizationSpace: ask({ spaceId }),
  listScimTokens: ask(),
  createScimToken: ask({}, { body: { name: 'Directory' } }),
  deleteScimToken: ask({ tokenId: 'sctNone' }),
};
