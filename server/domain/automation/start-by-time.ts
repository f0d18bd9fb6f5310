// Starts automations whose time has come: each time once, whichever process looks first.
import type { TriggerOf } from '@rowhouse/contract/automation-definition.ts';
import { instantOf, wallOf } from '@rowhouse/contract/zone.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { addJob } from '../../work/job.sql.ts';
import { loadSight } from '../feed/seen-changes.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import { recordParts } from '../record/read/record-parts.ts';
import type { Cells } from '../webhook/record-states.ts';
import { type AutomationRow, lockDue, selectAutomation, setNextTime } from './automation.sql.ts';
import { selectReached } from './date.sql.ts';
import { newRun, noOrigin, runPortions } from './new-run.ts';
import { nextStart } from './next-start.ts';
import { recordOutput } from './record-output.ts';
import type { NewRun } from './run.sql.ts';
import { runJob } from './run-job.ts';
import { checkFits, contextFor, eventOf, judgeOf } from './take-changes.ts';

const day = 86_400_000;

const startSchedule = (services: Services, automation: AutomationRow, time: string, next: string | null): NewRun[] => [
  newRun(services, automation, noOrigin(null), eventOf(automation.id, time), {
    time: services.now().toISOString(),
    expectedTime: time,
    ...(next === null ? {} : { nextTime: next }),
  }),
];

/** Records whose date is so many days from the day of `time`, by the clocks of the zone. */
async function* startDates(
  services: Services,
  tx: Tx,
  automation: AutomationRow,
  trigger: TriggerOf<'dateReached'>,
  time: string,
): AsyncGenerator<NewRun> {
  const context = await contextFor(services, tx, automation);
  const sight = context === undefined ? undefined : await loadSight(tx, context, automation.baseId, trigger.tableId);
  const field = sight?.byId.get(trigger.fieldId);
  if (sight === undefined || field === undefined) return;
  const wall = Math.floor(wallOf(Date.parse(time), trigger.timeZone) / day) - trigger.days;
  const from = new Date(instantOf(wall * day, trigger.timeZone)).toISOString();
  const to = new Date(instantOf((wall + 1) * day, trigger.timeZone)).toISOString();
  const judge = judgeOf(sight);
  const shape = { fields: sight.fields, keyType: 'id' as const, format: 'json' as const };
  const reached = await selectReached(tx, sight, field, from, to);
  for (const { ids, isTooLarge } of await recordParts(tx, sight, reached, sight.fields)) {
    // What cannot be read at once cannot be handed to steps either.
    for (const { id, json } of isTooLarge ? [] : await selectRecords(tx, sight, ids, shape)) {
      const { fields } = JSON.parse(`${json}}`) as { fields: Cells };
      if (trigger.filter == null || judge(trigger.filter, fields))
        yield newRun(services, automation, noOrigin(null), eventOf(automation.id, time, id), {
          record: recordOutput(services, sight, id, fields),
          time,
        });
    }
  }
}

const startDue = async (services: Services, tx: Tx, id: string, time: string): Promise<void> => {
  const automation = await selectAutomation(tx, id);
  const trigger = automation?.definition?.trigger;
  if (automation === undefined || trigger == null || automation.isTrashed) return setNextTime(tx, id, null);
  const now = services.now().getTime();
  // Of times that passed while no server ran, a schedule makes up for one; dates for each day of the last week.
  const from = trigger.type === 'dateReached' ? Math.max(Date.parse(time), now - 7 * day) : now;
  const next = nextStart(trigger, from);
  const nextText = next === undefined ? null : new Date(next).toISOString();
  await setNextTime(tx, id, nextText);
  if (!(await checkFits(services, tx, automation))) return undefined;
  const runs = runPortions(tx, automation.spaceId);
  if (trigger.type === 'dateReached')
    for await (const run of startDates(services, tx, automation, trigger, time)) await runs.add(run);
  else for (const run of startSchedule(services, automation, time, nextText)) await runs.add(run);
  await runs.flush();
  if (runs.count() > 0) await addJob(tx, runJob(automation));
  return undefined;
};

export const startByTime = async (services: Services, signal: AbortSignal): Promise<void> => {
  for (let isMore = true; isMore; ) {
    signal.throwIfAborted();
    await services.db.transaction(async (tx) => {
      const [due] = await lockDue(tx, 1);
      isMore = due !== undefined;
      if (due !== undefined) await startDue(services, tx, due.id, due.nextTime);
    });
  }
  services.work.wake();
};
