import * as admin from '@rowhouse/contract/workflow-admin.ts';
import * as runs from '@rowhouse/contract/workflow-run.ts';
import * as contract from '@rowhouse/contract/workflow.ts';
import { guardedRoute, type Route, route } from '../../endpoint/route.ts';
import { deleteAutomation, destroyAutomation } from '../automation/change-automation.ts';
import { listNamedRecords } from '../record/read/list-filter-records.ts';
import { createLogic, createNode, duplicateAction, readNode, removeNode, updateNode } from './change-node.ts';
import { generateToken, readTriggerNode, setTrigger, updateTrigger } from './change-trigger.ts';
import {
  createWorkflow,
  duplicateWorkflow,
  moveWorkflow,
  setWorkflowActive,
  updateWorkflow,
} from './change-workflow.ts';
import { getWorkflowRun, getWorkflowRunSummary, listWorkflowRuns } from './read-workflow-runs.ts';
import { getActiveWorkflow, getWorkflow, listWorkflows, ofAutomation } from './read-workflows.ts';
import {
  observeWorkflowRuns,
  observeWorkflows,
  removeWorkflow,
  stopWorkflow,
  summarizeWorkflows,
} from './observe-workflows.ts';
import { testWorkflow, testWorkflowNode } from './test-workflow.ts';

const action = <P extends { actionId: string }>(params: P) => ({ ...params, nodeId: params.actionId });
const logic = <P extends { logicId: string }>(params: P) => ({ ...params, nodeId: params.logicId });

export const workflowRoutes: Route[] = [
  route(contract.listWorkflows, (context, { params, query }) =>
    listWorkflows(context, params.baseId, query.onlyFirst === true),
  ),
  route(contract.createWorkflow, (context, { params, body }) => createWorkflow(context, params.baseId, body)),
  route(contract.getWorkflow, (context, { params }) => getWorkflow(context, params)),
  route(contract.getActiveWorkflow, (context, { params }) => getActiveWorkflow(context, params)),
  route(contract.updateWorkflow, (context, { params, body }) => updateWorkflow(context, params, body)),
  route(contract.deleteWorkflow, (context, { params }) => deleteAutomation(context, ofAutomation(params))),
  route(contract.deleteWorkflowPermanently, (context, { params }) => destroyAutomation(context, ofAutomation(params))),
  route(contract.setWorkflowActive, (context, { params, body }) => setWorkflowActive(context, params, body)),
  route(contract.moveWorkflow, (context, { params, body }) => moveWorkflow(context, params, body)),
  route(contract.duplicateWorkflow, (context, { params }) => duplicateWorkflow(context, params)),
  route(contract.createWorkflowTrigger, (context, { params, body }) => setTrigger(context, params, body)),
  route(contract.getWorkflowTrigger, (context, { params }) => readTriggerNode(context, params)),
  route(contract.updateWorkflowTrigger, (context, { params, body }) => updateTrigger(context, params, body)),
  route(contract.generateWorkflowToken, (context, { params }) => generateToken(context, params)),
  route(contract.createWorkflowAction, (context, { params, body }) => createNode(context, params, 'action', body)),
  route(contract.getWorkflowAction, (context, { params }) => readNode(context, action(params), 'action')),
  route(contract.updateWorkflowAction, (context, { params, body }) =>
    updateNode(context, action(params), 'action', body),
  ),
  route(contract.deleteWorkflowAction, (context, { params }) => removeNode(context, action(params), 'action')),
  route(contract.duplicateWorkflowAction, (context, { params }) => duplicateAction(context, action(params))),
  route(contract.createWorkflowLogic, (context, { params, body }) => createLogic(context, params, body)),
  route(contract.getWorkflowLogic, (context, { params }) => readNode(context, logic(params), 'logic')),
  route(contract.updateWorkflowLogic, (context, { params, body }) => updateNode(context, logic(params), 'logic', body)),
  route(contract.deleteWorkflowLogic, (context, { params }) => removeNode(context, logic(params), 'logic')),
  route(runs.listWorkflowRuns, (context, { params, query }) => listWorkflowRuns(context, params, query)),
  route(runs.getWorkflowRunSummary, (context, { params }) => getWorkflowRunSummary(context, params)),
  route(runs.getWorkflowRun, (context, { params }) => getWorkflowRun(context, params)),
  route(runs.testWorkflowNode, (context, { params, body }) => testWorkflowNode(context, params, body)),
  route(runs.testWorkflow, (context, { params, body }) => testWorkflow(context, params, body)),
  route(admin.observeWorkflows, (context, { query }) => observeWorkflows(context, query)),
  route(admin.summarizeWorkflows, (context, { query }) => summarizeWorkflows(context, query)),
  route(admin.observeWorkflowRuns, (context, { params, query }) =>
    observeWorkflowRuns(context, params.workflowId, query),
  ),
  route(admin.stopWorkflow, (context, { params }) => stopWorkflow(context, params.workflowId)),
  route(admin.removeWorkflow, (context, { params }) => removeWorkflow(context, params.workflowId)),
  guardedRoute(runs.listWorkflowFilterRecords, (request, { body }) => listNamedRecords(request, body)),
];
