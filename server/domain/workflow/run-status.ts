// How runs went, in the words of Teable's clients.
import type { RunState } from '@rowhouse/contract/automation.ts';
import type { workflowRunStates } from '@rowhouse/contract/workflow-run.ts';

type Status = (typeof workflowRunStates)[number];

export const statusOf = (state: RunState | 'skipped'): Status =>
  state === 'waiting' ? 'pending' : state === 'skipped' ? 'success' : state;
export const stateOf = (status: Status): RunState => (status === 'pending' ? 'waiting' : status);

interface RunStatistics {
  totalCount: number;
  statusStats: Record<Status, number>;
  avgSpent: number;
}

/** `spent`: how long those took on average that have ended, in milliseconds. */
export const statisticsOf = (
  counts: readonly { state: RunState; count: number; spent: number | null }[],
): RunStatistics => {
  const statusStats = { success: 0, failed: 0, running: 0, pending: 0, canceled: 0 };
  let [totalCount, spent, timed] = [0, 0, 0];
  for (const { state, count, spent: average } of counts) {
    statusStats[statusOf(state)] += count;
    totalCount += count;
    if (average === null) continue;
    timed += count;
    spent += average * count;
  }
  return { totalCount, statusStats, avgSpent: timed === 0 ? 0 : Math.round(spent / timed) };
};
