import type { NewJob } from '../../work/job.ts';

export const runKind = 'run-automations';

export interface RunPayload {
  baseId: string;
}

/** The runs of a base that are due, one after the other. Not a job of the base: runs are shown with their automation. */
export const runJob = ({ baseId, spaceId }: { baseId: string; spaceId: string }, delay = 0): NewJob => ({
  kind: runKind,
  key: baseId,
  spaceId,
  payload: { baseId } satisfies RunPayload,
  delay,
});
