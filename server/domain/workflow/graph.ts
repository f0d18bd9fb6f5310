// The tree of steps as nodes and edges, and the changes that a client makes at one node: what it sees of them is the tree again.
import type { Definition, Step } from '@rowhouse/contract/automation-definition.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { WorkflowNode } from '@rowhouse/contract/workflow.ts';
import { controlsOf, type Graph, triggerIdOf, unmapped } from './node.ts';
import { isLogic, stepTo } from './translate-step.ts';
import { triggerTo } from './translate-trigger.ts';

interface Workflow {
  id: string;
  /** A schedule has no beginning of its own; this is what it says. */
  createdTime: string;
}

export const triggerNode = ({ trigger }: Definition, { id, createdTime }: Workflow): WorkflowNode | undefined =>
  trigger === null ? undefined : { id: triggerIdOf(id), category: 'trigger', ...triggerTo(trigger, createdTime) };

export const stepNode = (step: Step, workflowId: string): WorkflowNode => {
  const { type, config } = stepTo(step, { node: step.id, triggerId: triggerIdOf(workflowId) });
  return {
    id: step.id,
    category: isLogic(type) ? 'logic' : 'action',
    type,
    ...(step.name === undefined ? {} : { name: step.name }),
    ...(step.description === undefined ? {} : { description: step.description }),
    config,
  };
};

export const graphOf = (definition: Definition, workflow: Workflow): Graph => {
  const graph: Graph = { nodes: [], edges: [] };
  /** Answers the node behind which the next one stands. */
  const add = (steps: readonly Step[], from: string | undefined): string | undefined => {
    let last = from;
    for (const step of steps) {
      graph.nodes.push(stepNode(step, workflow.id));
      if (last !== undefined) graph.edges.push({ source: last, target: step.id });
      last = step.id;
      if (step.type !== 'if' && step.type !== 'forEach') continue;
      const end = `${step.id}:end`;
      graph.nodes.push(...controlsOf(step.id, step.type));
      const branches: [string, readonly Step[]][] =
        step.type === 'if'
          ? [
              [`${step.id}:true`, step.then],
              [`${step.id}:false`, step.else ?? []],
            ]
          : [[step.id, step.steps]];
      for (const [branch, inside] of branches) {
        if (branch !== step.id) graph.edges.push({ source: step.id, target: branch });
        graph.edges.push({ source: add(inside, branch) as string, target: end });
      }
      last = end;
    }
    return last;
  };
  const trigger = triggerNode(definition, workflow);
  if (trigger !== undefined) graph.nodes.push(trigger);
  add(definition.steps, trigger?.id);
  return graph;
};

/** All lists of steps, from the outermost on; a change answers the new list, or undefined to leave it. */
const inLists = (steps: readonly Step[], change: (list: readonly Step[]) => Step[] | undefined): Step[] => {
  const changed = change(steps);
  if (changed !== undefined) return changed;
  return steps.map((step) => {
    if (step.type === 'forEach') return { ...step, steps: inLists(step.steps, change) };
    if (step.type !== 'if') return step;
    return {
      ...step,
      then: inLists(step.then, change),
      ...(step.else === undefined ? {} : { else: inLists(step.else, change) }),
    };
  });
};

export const findStep = (steps: readonly Step[], id: string): Step | undefined => {
  for (const step of steps) {
    if (step.id === id) return step;
    const inside =
      step.type === 'if' ? [...step.then, ...(step.else ?? [])] : step.type === 'forEach' ? step.steps : [];
    const found = findStep(inside, id);
    if (found !== undefined) return found;
  }
  return undefined;
};

const demandStep = (steps: readonly Step[], id: string): Step => {
  const step = findStep(steps, id);
  if (step === undefined) throw notFound('Node', id);
  return step;
};

/** Behind a step, or the end of one that holds others. */
const placeBehind = (steps: readonly Step[], id: string, step: Step): Step[] =>
  inLists(steps, (list) => {
    const at = list.findIndex((one) => one.id === id);
    return at === -1 ? undefined : list.toSpliced(at + 1, 0, step);
  });

const placeInside = (steps: readonly Step[], id: string, branch: string | undefined, step: Step): Step[] =>
  inLists(steps, (list) => {
    const at = list.findIndex((one) => one.id === id);
    const around = list[at];
    if (around === undefined) return undefined;
    if (around.type === 'forEach' && branch === undefined)
      return list.with(at, { ...around, steps: [step, ...around.steps] });
    if (around.type === 'if' && branch === 'true') return list.with(at, { ...around, then: [step, ...around.then] });
    if (around.type === 'if' && branch === 'false')
      return list.with(at, { ...around, else: [step, ...(around.else ?? [])] });
    throw unmapped(
      id,
      'parentNodeId',
      'its branches and its end have nodes of their own',
      controlsOf(id, around.type as 'if')
        .map((control) => control.id)
        .join(', '),
    );
  });

/** Behind a node as the client names it: the trigger, an action, a branch, a loop, or the end of either. */
export const placeStep = (definition: Definition, parentNodeId: string, workflowId: string, step: Step): Definition => {
  const { steps } = definition;
  if (parentNodeId === triggerIdOf(workflowId)) return { ...definition, steps: [step, ...steps] };
  const [id, branch] = parentNodeId.split(':') as [string, string | undefined];
  const parent = demandStep(steps, id);
  const holds = parent.type === 'if' || parent.type === 'forEach';
  if (branch !== undefined && !(holds && controlsOf(id, parent.type).some((one) => one.id === parentNodeId)))
    throw notFound('Node', parentNodeId);
  return {
    ...definition,
    steps: holds && branch !== 'end' ? placeInside(steps, id, branch, step) : placeBehind(steps, id, step),
  };
};

/** Answers the steps with another one in place of it, or with none. */
export const replaceStep = (
  { trigger, steps }: Definition,
  id: string,
  replace: (step: Step) => Step | undefined,
): Definition => {
  demandStep(steps, id);
  return {
    trigger,
    steps: inLists(steps, (list) => {
      const at = list.findIndex((one) => one.id === id);
      if (at === -1) return undefined;
      const step = replace(list[at] as Step);
      return step === undefined ? list.toSpliced(at, 1) : list.with(at, step);
    }),
  };
};

/** What a step holds stays where it is when its own settings change. */
export const withInside = (changed: Step, before: Step): Step =>
  changed.type === 'if' && before.type === 'if'
    ? { ...changed, then: before.then, ...(before.else === undefined ? {} : { else: before.else }) }
    : changed.type === 'forEach' && before.type === 'forEach'
      ? { ...changed, steps: before.steps }
      : changed;
