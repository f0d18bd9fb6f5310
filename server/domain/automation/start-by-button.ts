// For the operation that presses a button: starts the automations that listen to it, in its transaction.
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { addJob } from '../../work/job.sql.ts';
import { loadSight } from '../feed/seen-changes.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import type { Cells } from '../webhook/record-states.ts';
import { selectOn } from './automation.sql.ts';
import { anyEvent, newRun, noOrigin } from './new-run.ts';
import { recordOutput } from './record-output.ts';
import { insertRuns, type NewRun } from './run.sql.ts';
import { runJob } from './run-job.ts';
import { contextFor, judgeOf } from './take-changes.ts';

interface Press {
  baseId: string;
  tableId: string;
  fieldId: string;
  recordId: string;
  /** Null: a visitor of a share. */
  userId: string | null;
}

/** The id of the run; of several the first. Empty: no automation that is on listens to the button, or its condition is not met. Call `work.wake()` after the commit. */
export const startByButton = async (services: Omit<Services, 'db'>, tx: Tx, press: Press): Promise<string> => {
  const { baseId, tableId, fieldId, recordId, userId } = press;
  const runs: NewRun[] = [];
  let spaceId = '';
  for (const automation of await selectOn(tx, baseId, ['buttonPressed'])) {
    const trigger = automation.definition?.trigger;
    if (trigger?.type !== 'buttonPressed' || trigger.tableId !== tableId) continue;
    if (trigger.fieldIds !== null && !trigger.fieldIds.includes(fieldId)) continue;
    ({ spaceId } = automation);
    const context = await contextFor(services as Services, tx, automation);
    const sight = context === undefined ? undefined : await loadSight(tx, context, baseId, tableId);
    if (sight === undefined) continue;
    const shape = { fields: sight.fields, keyType: 'id' as const, format: 'json' as const };
    const [found] = await selectRecords(tx, sight, [recordId], shape);
    if (found === undefined) continue;
    const { fields } = JSON.parse(`${found.json}}`) as { fields: Cells };
    if (trigger.filter != null && !judgeOf(sight)(trigger.filter, fields)) continue;
    runs.push(
      newRun(services, automation, noOrigin(userId), anyEvent(), {
        record: recordOutput(services, sight, recordId, fields),
        fieldId,
        time: services.now().toISOString(),
      }),
    );
  }
  const [first = ''] = await insertRuns(tx, spaceId, runs);
  if (runs.length > 0) await addJob(tx, runJob({ baseId, spaceId }));
  return first;
};
