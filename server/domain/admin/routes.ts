import * as audit from '@rowhouse/contract/admin-audit.ts';
import * as health from '@rowhouse/contract/admin-health.ts';
import * as space from '@rowhouse/contract/admin-space.ts';
import * as user from '@rowhouse/contract/admin-user.ts';
import { updateSetting as updateSettingEndpoint } from '@rowhouse/contract/setting.ts';
import { type Route, route } from '../../endpoint/route.ts';
import {
  deletePerson,
  endPersonSession,
  erasePerson,
  linkPerson,
  removePersonFactor,
  restorePerson,
  revokePersonToken,
  setPersonAdmin,
  updatePerson,
} from './change-person.ts';
import { deleteSpaceAsAdmin, takeOverSpace, updateSpaceAsAdmin } from './change-space.ts';
import { createPerson } from './create-person.ts';
import { getHealth } from './get-health.ts';
import { listAdminJobs, retryAdminJob } from './jobs-of-instance.ts';
import { exportInstanceAudit, listInstanceAudit } from './list-instance-audit.ts';
import { getPerson, listPeople } from './list-people.ts';
import { listBaseSizes, listBases, listSpaces } from './list-places.ts';
import { sendTestMail } from './send-test-mail.ts';
import { updateSetting } from './update-setting.ts';

export const adminRoutes: Route[] = [
  route(user.listAdminUsers, (context, { query }) => listPeople(context, query)),
  route(user.getAdminUser, (context, { params }) => getPerson(context, params.userId)),
  route(user.createAdminUser, (context, { body }) => createPerson(context, body)),
  route(user.updateAdminUser, (context, { params, body }) => updatePerson(context, params.userId, body)),
  route(user.setUserAdmin, (context, { params, body }) => setPersonAdmin(context, params.userId, body.isAdmin)),
  route(user.deleteAdminUser, (context, { params }) => deletePerson(context, params.userId)),
  route(user.restoreAdminUser, (context, { params }) => restorePerson(context, params.userId)),
  route(user.eraseAdminUser, (context, { params }) => erasePerson(context, params.userId)),
  route(user.createPasswordLink, (context, { params }) => linkPerson(context, params.userId)),
  route(user.endUserSession, (context, { params }) => endPersonSession(context, params.userId, params.sessionId)),
  route(user.revokeUserToken, (context, { params }) => revokePersonToken(context, params.userId, params.tokenId)),
  route(user.removeSecondFactorOf, (context, { params }) => removePersonFactor(context, params.userId)),
  route(space.listAdminSpaces, (context, { query }) => listSpaces(context, query)),
  route(space.listAdminBases, (context, { query }) => listBases(context, query)),
  route(space.listBaseSizes, (context, { params, query }) => listBaseSizes(context, params.spaceId, query)),
  route(space.updateAdminSpace, (context, { params, body }) => updateSpaceAsAdmin(context, params.spaceId, body)),
  route(space.deleteAdminSpace, (context, { params }) => deleteSpaceAsAdmin(context, params.spaceId)),
  route(space.takeOverSpace, (context, { params, body }) => takeOverSpace(context, params.spaceId, body)),
  route(health.listAdminJobs, (context, { query }) => listAdminJobs(context, query)),
  route(health.retryAdminJob, (context, { params }) => retryAdminJob(context, params.jobId)),
  route(health.getAdminHealth, (context) => getHealth(context)),
  route(health.sendTestMail, (context, { body }) => sendTestMail(context, body?.to)),
  route(audit.listInstanceAudit, (context, { query }) => listInstanceAudit(context, query)),
  route(audit.exportInstanceAudit, (context, { query }) => exportInstanceAudit(context, query)),
  route(updateSettingEndpoint, (context, { body }) => updateSetting(context, body)),
];
