import { isDeepStrictEqual } from 'node:util';
import type { Automation, AutomationSummary, Run, StepResult } from '@rowhouse/contract/automation.ts';
import type { Issue } from '@rowhouse/contract/error.ts';
import type { AutomationRow } from './automation.sql.ts';
import type { RunRow, StepRow } from './run.sql.ts';

export const summaryVo = (row: AutomationRow): AutomationSummary => {
  const trigger = row.definition?.trigger ?? row.draft.trigger;
  const fieldIds = trigger !== null && 'fieldIds' in trigger ? trigger.fieldIds : undefined;
  return {
    id: row.id,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    state: row.state,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(trigger === null ? {} : { triggerType: trigger.type }),
    ...(trigger !== null && 'tableId' in trigger ? { triggerTableId: trigger.tableId } : {}),
    ...(fieldIds == null ? {} : { triggerFieldIds: fieldIds }),
    hasDraft: row.definition === null || !isDeepStrictEqual(row.definition, row.draft),
    createdBy: row.createdBy,
    createdTime: row.createdTime,
    ...(row.lastModifiedTime === null ? {} : { lastModifiedTime: row.lastModifiedTime }),
  };
};

export const automationVo = (row: AutomationRow, issues: readonly Issue[]): Automation => {
  const { definition, version, publishedTime, actsAs } = row;
  return {
    ...summaryVo(row),
    trigger: row.draft.trigger,
    steps: row.draft.steps,
    published:
      definition?.trigger == null || version === null
        ? null
        : { version, trigger: definition.trigger, steps: definition.steps, time: publishedTime as string },
    issues: issues.map(({ path, message, expected }) => ({
      path,
      message,
      ...(expected === undefined ? {} : { expected }),
    })),
    ...(actsAs === null ? {} : { actsAs: { id: actsAs.userId, name: row.actsAsName ?? '' } }),
    ...(row.nextTime === null || row.state !== 'on' ? {} : { nextTime: row.nextTime }),
    publicKey: row.publicKey,
  };
};

export const runVo = (row: RunRow): Run => ({
  id: row.id,
  automationId: row.automationId,
  version: row.version,
  state: row.state,
  ...(row.error === null ? {} : { error: row.error }),
  triggerType: row.triggerType,
  ...(row.recordId === null ? {} : { recordId: row.recordId }),
  ...(row.recordName === null ? {} : { recordName: row.recordName }),
  depth: row.depth,
  chain: row.chain,
  ...(row.startedBy === null ? {} : { startedBy: row.startedBy }),
  createdTime: row.createdTime,
  ...(row.startedTime === null ? {} : { startedTime: row.startedTime }),
  ...(row.endedTime === null ? {} : { endedTime: row.endedTime }),
  ...(row.endedTime === null ? { dueTime: row.dueTime } : {}),
  ...(row.startedTime === null || row.endedTime === null
    ? {}
    : { milliseconds: Math.max(0, Date.parse(row.endedTime) - Date.parse(row.startedTime)) }),
});

export const stepVo = (row: StepRow): StepResult => ({
  path: row.path,
  stepId: row.stepId,
  type: row.type,
  ...(row.name === null ? {} : { name: row.name }),
  state: row.state,
  ...(row.input === null || row.input === undefined ? {} : { input: row.input }),
  ...(row.output === null || row.output === undefined ? {} : { output: row.output }),
  ...(row.error === null ? {} : { error: row.error }),
  attempts: row.attempts,
  time: row.time,
  milliseconds: row.milliseconds,
});
