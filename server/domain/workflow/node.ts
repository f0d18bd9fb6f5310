// Workflows as Teable's clients see them: a trigger, actions, logic, and the nodes that hold branches together, with edges between them.
import { type ApiError, invalid } from '@rowhouse/contract/error.ts';
import type { WorkflowEdge, WorkflowNode } from '@rowhouse/contract/workflow.ts';

export interface Graph {
  nodes: WorkflowNode[];
  edges: WorkflowEdge[];
}

export type Config = Record<string, unknown>;

/** What cannot be expressed here. `node` is its id, or its type while it has none. */
export const unmapped = (node: string, path: string, message: string, expected: string): ApiError =>
  invalid({ path, message: `Node ${node}: ${message}`, expected });

/** Ids of triggers follow from their workflow: an automation has one trigger at most, which has no id of its own. */
export const triggerIdOf = (workflowId: string): string => `wtr${workflowId.slice(3)}`;

/** Nodes that hold a branch or a loop together. Ids of steps have no colon. */
export const controlsOf = (id: string, type: 'if' | 'forEach'): WorkflowNode[] =>
  type === 'forEach'
    ? [{ id: `${id}:end`, category: 'control', type: 'repeatEnd', config: { sourceNodeId: id } }]
    : [
        { id: `${id}:true`, category: 'control', type: 'conditionBranch', config: { truthy: true, sourceNodeId: id } },
        {
          id: `${id}:false`,
          category: 'control',
          type: 'conditionBranch',
          config: { truthy: false, sourceNodeId: id },
        },
        { id: `${id}:end`, category: 'control', type: 'conditionEnd', config: { sourceNodeId: id } },
      ];
