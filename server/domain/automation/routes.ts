import * as contract from '@rowhouse/contract/automation.ts';
import { type Route, route } from '../../endpoint/route.ts';
import {
  activateAutomation,
  deactivateAutomation,
  deleteAutomation,
  discardDraft,
  rotateAddress,
  rotateSecret,
  updateAutomation,
} from './change-automation.ts';
import { cancelRun, resumeRun } from './change-run.ts';
import { createAutomation } from './create-automation.ts';
import { getAutomation, getRun, listAutomations, listRuns } from './read-automations.ts';
import { startByCall } from './start-by-call.ts';
import { testAutomation } from './test-automation.ts';

export const automationRoutes: Route[] = [
  route(contract.listAutomations, (context, { params }) => listAutomations(context, params.baseId)),
  route(contract.createAutomation, (context, { params, body }) => createAutomation(context, params.baseId, body)),
  route(contract.getAutomation, (context, { params }) => getAutomation(context, params)),
  route(contract.updateAutomation, (context, { params, body }) => updateAutomation(context, params, body)),
  route(contract.deleteAutomation, (context, { params }) => deleteAutomation(context, params)),
  route(contract.activateAutomation, (context, { params }) => activateAutomation(context, params)),
  route(contract.deactivateAutomation, (context, { params }) => deactivateAutomation(context, params)),
  route(contract.discardAutomationDraft, (context, { params }) => discardDraft(context, params)),
  route(contract.rotateAutomationAddress, (context, { params }) => rotateAddress(context, params)),
  route(contract.rotateAutomationSecret, (context, { params }) => rotateSecret(context, params)),
  route(contract.listAutomationRuns, (context, { params, query }) => listRuns(context, params, query)),
  route(contract.testAutomation, (context, { params, body }) => testAutomation(context, params, body)),
  route(contract.resumeAutomationRun, (context, { params }) => resumeRun(context, params)),
  route(contract.cancelAutomationRun, (context, { params }) => cancelRun(context, params)),
  route(contract.callAutomation, (context, { params, body, headers }) =>
    startByCall(context, params.token, body, headers['idempotency-key'] as string | undefined),
  ),
  route(contract.getAutomationRun, (context, { params }) => getRun(context, params)),
];
