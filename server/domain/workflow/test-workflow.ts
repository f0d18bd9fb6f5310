import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { testWorkflowNode as endpoint } from '@rowhouse/contract/workflow-run.ts';
import type { TestResult } from '@rowhouse/contract/automation.ts';
import type { Context } from '../../context.ts';
import { findAutomation } from '../automation/read-automations.ts';
import { testAutomation } from '../automation/test-automation.ts';
import { findStep } from './graph.ts';
import { triggerIdOf } from './node.ts';
import { type OfWorkflow, ofAutomation } from './read-workflows.ts';

type Options = BodyOf<typeof endpoint>;

const tested = (context: Context, params: OfWorkflow, options: Options): Promise<TestResult> => {
  const { recordId, sideEffect, body } = options ?? {};
  if (sideEffect === true)
    throw invalid({ path: 'sideEffect', message: 'A test changes and sends nothing here', expected: 'false' });
  return testAutomation(context, ofAutomation(params), {
    ...(recordId === undefined ? {} : { recordId }),
    ...(body === undefined ? {} : { body }),
  });
};

/** Of a node in a loop the first round. */
export const testWorkflowNode = async (
  context: Context,
  params: OfWorkflow & { testedNodeId: string },
  options: Options,
): Promise<ResponseOf<typeof endpoint>> => {
  const { testedNodeId, workflowId } = params;
  const { draft } = await findAutomation(context, ofAutomation(params));
  const isTrigger = testedNodeId === triggerIdOf(workflowId) && draft.trigger !== null;
  if (!isTrigger && findStep(draft.steps, testedNodeId) === undefined) throw notFound('Node', testedNodeId);
  const { trigger, steps, error } = await tested(context, params, options);
  const createdTime = context.now().toISOString();
  if (isTrigger) return { outputRaw: trigger, createdTime };
  const step = steps.find(({ stepId }) => stepId === testedNodeId);
  if (step === undefined)
    return { errorMsg: error === undefined ? 'The test did not come to this node' : error, createdTime };
  return {
    spent: step.milliseconds,
    ...(step.input === undefined ? {} : { inputRaw: step.input }),
    ...(step.output === undefined ? {} : { outputRaw: step.output }),
    ...(step.error === undefined ? {} : { errorMsg: step.error }),
    createdTime,
  };
};

export const testWorkflow = async (context: Context, params: OfWorkflow, options: Options): Promise<boolean> =>
  (await tested(context, params, options)).state === 'success';
