import { randomUUID } from 'node:crypto';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { createPortions } from '../feed/portions.ts';
import type { AutomationRow } from './automation.sql.ts';
import type { RecordOutput } from './record-output.ts';
import { insertRuns, type NewRun } from './run.sql.ts';
import { firstPath } from './walk.ts';

/** Why a run is started: by whom, and behind which other runs. */
export interface Origin {
  depth: number;
  /** Ids of the automations before it, the first one first. */
  chain: readonly string[];
  by: string | null;
}

export const noOrigin = (by: string | null): Origin => ({ depth: 0, chain: [], by });

/** One that goes on and on is ended here: it is written down with its chain, and does nothing. */
export const newRun = (
  { newId, config }: Pick<Services, 'newId' | 'config'>,
  automation: AutomationRow,
  { depth, chain, by }: Origin,
  event: string,
  trigger: { record?: RecordOutput } & Record<string, unknown>,
): NewRun => {
  const isLoop = depth >= config.automationDepth;
  return {
    id: newId('wru'),
    automationId: automation.id,
    baseId: automation.baseId,
    version: automation.version as number,
    event,
    triggerType: automation.definition?.trigger?.type as never,
    trigger: { ...trigger, byId: by },
    recordId: trigger.record?.id ?? null,
    recordName: trigger.record?.name ?? null,
    depth: depth + 1,
    chain,
    startedBy: by,
    state: isLoop ? 'failed' : 'waiting',
    error: isLoop
      ? `Ended as a loop: automations start each other at most ${config.automationDepth} times in a row (${[...chain, automation.id].join(' → ')})`
      : null,
    path: firstPath(automation.definition?.steps ?? []),
  };
};

export const anyEvent = (): string => randomUUID();

/** Many at once: each run holds the record that it was started with. */
export const runPortions = (tx: Tx, spaceId: string) => {
  const { add, ...portions } = createPortions((some: NewRun[]) => insertRuns(tx, spaceId, some));
  return { ...portions, add: (run: NewRun): Promise<void> => add(run, JSON.stringify(run.trigger).length) };
};
