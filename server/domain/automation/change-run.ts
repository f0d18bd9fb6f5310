import type { Run } from '@rowhouse/contract/automation.ts';
import { conflict, notFound } from '@rowhouse/contract/error.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/db.ts';
import { addJob } from '../../work/job.sql.ts';
import { runVo } from './automation-vo.ts';
import { findAutomation, findRun, type OfAutomation } from './read-automations.ts';
import { endRun, lockRun, resumeRunRow } from './run.sql.ts';
import { runJob } from './run-job.ts';

type OfRun = OfAutomation & { runId: string };

/** It goes on at the step that failed. A run that was ended as a loop did nothing, and does not. */
export const resumeRun = async (context: Context, params: OfRun): Promise<Run> => {
  const automation = await findAutomation(context, params);
  await findRun(context, params);
  await (context.db as Db).transaction(async (tx) => {
    const run = await lockRun(tx, params.runId);
    if (run === undefined) throw notFound('Run', params.runId);
    if (run.state !== 'failed') throw conflict(`The run has not failed: it is ${run.state}`);
    if (run.depth > context.config.automationDepth) throw conflict('The run was ended as a loop');
    if (automation.state !== 'on' || automation.version !== run.version)
      throw conflict('The automation is not on, or was published again since: it has to be started again');
    await resumeRunRow(tx, run.seq);
    await addJob(tx, runJob(automation));
  });
  context.work.wake();
  return runVo(await findRun(context, params));
};

export const cancelRun = async (context: Context, params: OfRun): Promise<Run> => {
  await findRun(context, params);
  await (context.db as Db).transaction(async (tx) => {
    const run = await lockRun(tx, params.runId);
    if (run === undefined) throw notFound('Run', params.runId);
    if (run.state !== 'waiting' && run.state !== 'running') throw conflict(`The run has ended: it is ${run.state}`);
    await endRun(tx, run.seq, 'canceled', `Canceled by ${context.principal.name}`);
  });
  return runVo(await findRun(context, params));
};
