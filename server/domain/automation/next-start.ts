// When an automation that waits for a time starts next.
import type { Trigger } from '@rowhouse/contract/automation-definition.ts';
import { instantOf, wallOf } from '@rowhouse/contract/zone.ts';
import { nextTime, readCron } from './cron.ts';

const day = 86_400_000;

/** Milliseconds. Undefined for what does not wait for a time, or never comes. */
export const nextStart = (trigger: Trigger, after: number): number | undefined => {
  if (trigger.type === 'schedule') {
    const cron = readCron(trigger.cron);
    return typeof cron === 'string' ? undefined : nextTime(cron, trigger.timeZone, after);
  }
  if (trigger.type !== 'dateReached') return undefined;
  const [hours, minutes] = trigger.time.split(':').map(Number) as [number, number];
  const today = Math.floor(wallOf(after, trigger.timeZone) / day);
  for (let at = today - 1; ; at += 1) {
    const instant = instantOf(at * day + (hours * 60 + minutes) * 60_000, trigger.timeZone);
    if (instant > after) return instant;
  }
};
