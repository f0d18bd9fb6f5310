import type { NewJob } from '../../work/job.ts';

export const deliverKind = 'deliver-webhook';

export interface DeliverPayload {
  webhookId: string;
}

/** Not a job of the base: deliveries are shown with their webhook. */
export const deliverJob = ({ id, spaceId }: { id: string; spaceId: string }, delay = 0): NewJob => ({
  kind: deliverKind,
  key: id,
  spaceId,
  payload: { webhookId: id } satisfies DeliverPayload,
  delay,
});
