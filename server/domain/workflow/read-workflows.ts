import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { Definition } from '@rowhouse/contract/automation-definition.ts';
import type { listWorkflows as listEndpoint, Workflow } from '@rowhouse/contract/workflow.ts';
import type { Context } from '../../context.ts';
import type { AutomationRow } from '../automation/automation.sql.ts';
import { summaryVo } from '../automation/automation-vo.ts';
import { findAutomation, listSeen } from '../automation/read-automations.ts';
import { graphOf, triggerNode } from './graph.ts';

export interface OfWorkflow {
  baseId: string;
  workflowId: string;
}

/** The same thing has another name here. */
export const ofAutomation = ({ baseId, workflowId }: OfWorkflow) => ({ baseId, automationId: workflowId });

const labelsOf = (row: AutomationRow) => {
  const { id, name, description, hasDraft, createdBy, createdTime, lastModifiedTime } = summaryVo(row);
  return {
    id,
    name,
    ...(description === undefined ? {} : { description }),
    hasDraft,
    isActive: row.state === 'on',
    createdBy,
    createdTime,
    ...(lastModifiedTime === undefined ? {} : { lastModifiedTime }),
  };
};

/** Of viewers, too: what the nodes hold is left out. */
export const listWorkflows = async (
  context: Context,
  baseId: string,
  onlyFirst: boolean,
): Promise<ResponseOf<typeof listEndpoint>> =>
  (await listSeen(context, baseId)).map((row) => {
    const first = triggerNode(row.draft, row);
    const nodes = onlyFirst ? (first === undefined ? [] : [first]) : graphOf(row.draft, row).nodes;
    return { ...labelsOf(row), nodes: nodes.map(({ id, type, category }) => ({ id, type, category })) };
  });

const showWorkflow = (row: AutomationRow, definition: Definition): Workflow => ({
  ...labelsOf(row),
  baseId: row.baseId,
  ...graphOf(definition, row),
  ...(row.actsAs === null ? {} : { activeUser: { id: row.actsAs.userId, name: row.actsAsName ?? '', email: '' } }),
});

export const getWorkflow = async (context: Context, params: OfWorkflow): Promise<Workflow> => {
  const row = await findAutomation(context, ofAutomation(params));
  return showWorkflow(row, row.draft);
};

export const getActiveWorkflow = async (context: Context, params: OfWorkflow): Promise<Workflow> => {
  const row = await findAutomation(context, ofAutomation(params));
  if (row.definition === null) throw notFound('Published version of', params.workflowId);
  return showWorkflow(row, row.definition);
};
