// What no token with a part of the scopes ever gets through, whatever is made for it, and why. Both ways are checked, by test/api/canary.test.ts with all scopes and by the
// proof `scopes` with all tokens: one that lets a token through must not stand here, and one that lets none through must.
const account = 'The account itself: for a session, or a token without limits';
const organization = 'An organisation: for a session, or a token without limits';
const ownApplications = 'Applications are registered by a session, or a token without limits';

export const neverByToken: Readonly<Record<string, string>> = {
  changePassword: account,
  listSessions: account,
  endSession: account,
  endOtherSessions: 'Only a session has others beside it',
  listIdentities: account,
  linkIdentity: account,
  unlinkIdentity: account,
  getOrganizationMe: organization,
  getOrganization: organization,
  renameOrganization: organization,
  getOrganizationSetting: organization,
  setOrganizationAutoSpace: organization,
  setDepartmentScope: organization,
  listOrganizationUsers: organization,
  createOrganizationUsers: organization,
  addOrganizationUsers: organization,
  removeOrganizationUsers: organization,
  getOrganizationUser: organization,
  updateOrganizationUser: organization,
  deactivateOrganizationUser: organization,
  activateOrganizationUser: organization,
  haveOrganizationUsers: organization,
  listOrganizationDepartments: organization,
  getDepartment: organization,
  createDepartment: organization,
  renameDepartment: organization,
  moveDepartment: organization,
  deleteDepartment: organization,
  listOrganizationDepartmentUsers: organization,
  addDepartmentUsers: organization,
  removeDepartmentUsers: organization,
  moveDepartmentUsers: organization,
  setDepartmentsOfUser: organization,
  listDomains: organization,
  claimDomain: organization,
  checkDomain: organization,
  removeDomain: organization,
  listVerifiedDomains: organization,
  verifyDomain: organization,
  removeVerifiedDomain: organization,
  listAuthentications: organization,
  createAuthentication: organization,
  getAuthentication: organization,
  updateAuthentication: organization,
  deleteAuthentication: organization,
  listAuthenticationProviders: organization,
  setOnlyProvider: organization,
  listOrganizationSpaceNames: organization,
  countOrganizationSpaces: organization,
  listOrganizationSpaces: organization,
  getOrganizationSpace: organization,
  addOrganizationSpace: organization,
  removeOrganizationSpace: organization,
  listScimTokens: organization,
  createScimToken: organization,
  deleteScimToken: organization,
  addPassword: account,
  getSecondFactor: account,
  beginSecondFactor: account,
  confirmSecondFactor: account,
  renewRecoveryCodes: account,
  removeSecondFactor: account,
  sendVerificationCode: account,
  verifyEmail: account,
  sendChangeEmailCode: account,
  changeEmail: account,
  renameUser: account,
  updateAvatar: account,
  deleteAvatar: account,
  deleteUser: account,
  getTempToken: account,
  updateNotifyMeta: account,
  setLanguage: account,
  createOauthClient: ownApplications,
  updateOauthClient: ownApplications,
  deleteOauthClient: ownApplications,
  createOauthSecret: ownApplications,
  deleteOauthSecret: ownApplications,
  revokeOauthAccess: ownApplications,
  decideOauthRequest: 'Only a person at a browser decides for an application',
  getDeviceRequest: 'Only a person at a browser decides for a device',
  decideDeviceRequest: 'Only a person at a browser decides for a device',
};

/** What is wrong with the table, given what let a token through. */
export const slipsOfNever = (walked: readonly string[], reached: ReadonlySet<string>): string[] => [
  ...walked
    .filter((name) => !reached.has(name) && neverByToken[name] === undefined)
    .map((name) => `${name} let no token through: give it a request that succeeds, or its reason in never-by-token.ts`),
  ...walked
    .filter((name) => reached.has(name) && neverByToken[name] !== undefined)
    .map((name) => `${name} let a token through, and never-by-token.ts says that it never does`),
  ...Object.keys(neverByToken)
    .filter((name) => !walked.includes(name))
    .map((name) => `${name} of never-by-token.ts is no endpoint of the walk`),
];

/** What is about one base, and yet is refused to a token for that base. */
export const notByOneBase: Readonly<Record<string, string>> = {
  moveBase: 'It needs the right to make bases in the other space',
};
