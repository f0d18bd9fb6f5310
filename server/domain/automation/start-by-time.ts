// Starts automations whose time has come: each time once, whichever process looks first.
import type { TriggerOf } from '@rowhouse/contract/automation.ts';
import { instantOf, wallOf } from '@rowhouse/contract/zone.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { addJob } from '../../work/job.sql.ts';
import { loadSight } from '../feed/seen-changes.ts';
import { type AutomationRow, lockDue, selectAutomation, setNextTime } from './automation.sql.ts';
import { selectReached } from './date.sql.ts';
import { newRun, noOrigin } from './new-run.ts';
import { nextStart } from './next-start.ts';
import { recordOutput } from './record-output.ts';
import { insertRuns, type NewRun } from './run.sql.ts';
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
const startDates = async (
  services: Services,
  tx: Tx,
  automation: AutomationRow,
  trigger: TriggerOf<'dateReached'>,
  time: string,
): Promise<NewRun[]> => {
  const context = await contextFor(services, tx, automation);
  const sight = context === undefined ? undefined : await loadSight(tx, context, automation.baseId, trigger.tableId);
  const field = sight?.byId.get(trigger.fieldId);
  if (sight === undefined || field === undefined) return [];
  const wall = Math.floor(wallOf(Date.parse(time), trigger.timeZone) / day) - trigger.days;
  const from = new Date(instantOf(wall * day, trigger.timeZone)).toISOString();
  const to = new Date(instantOf((wall + 1) * day, trigger.timeZone)).toISOString();
  const judge = judgeOf(sight);
  return (await selectReached(tx, sight, field, from, to))
    .filter(({ fields }) => trigger.filter == null || judge(trigger.filter, fields))
    .map(({ id, fields }) =>
      newRun(services, automation, noOrigin(null), eventOf(automation.id, time, id), {
        record: recordOutput(services, sight, id, fields),
        time,
      }),
    );
};

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
  const runs =
    trigger.type === 'dateReached'
      ? await startDates(services, tx, automation, trigger, time)
      : startSchedule(services, automation, time, nextText);
  await insertRuns(tx, automation.spaceId, runs);
  if (runs.length > 0) await addJob(tx, runJob(automation));
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
