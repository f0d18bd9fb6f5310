// One noisy tenant and nine quiet ones: what a quiet one waits for, the delivery of a webhook and the answer of an automation, takes about as long beside the noise as
// without it. Quiet and noisy times take turns, so that a machine that is slow for a while is slow for both.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../server/db/db.ts';
import { type Line, openLine } from '../client.ts';
import { type Failures, noFailures } from '../failures.ts';
import { percentile, shown } from '../overload/figures.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { endPrograms, type Served } from '../program.ts';
import { type Random, randomFrom } from '../random.ts';
import { openStage } from '../stage.ts';
import { countBusy } from './busy.sql.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { deadReceivers, importOf, type Noise, runawayAutomations } from './noise.ts';
import { answerTo, newTenant, type Quarters, writeName } from './tenant.ts';

/** How much longer the slowest of a hundred may take than without noise. */
const mostRatio = 1.5;
/** Milliseconds after which what has not come is lost. */
const patience = 60_000;

const sizes = {
  full: { tenants: 9, records: 40, rounds: 2, rows: 1_000_000, events: 1_000, started: 2_000 },
  short: { tenants: 3, records: 3, rounds: 1, rows: 5_000, events: 40, started: 40 },
};

interface Waits {
  deliveries: number[];
  answers: number[];
}

const noWaits = (): Waits => ({ deliveries: [], answers: [] });

const arrival = async (mailbox: Mailbox, name: string, begun: number): Promise<number> => {
  for (;;) {
    const time = mailbox.arrivalOf(name);
    if (time !== undefined) return time - begun;
    if (performance.now() - begun > patience) return Number.POSITIVE_INFINITY;
    await sleep(5);
  }
};

interface Crowd {
  line: Line;
  mailbox: Mailbox;
  tenants: Quarters[];
  random: Random;
}

let marks = 0;

/** Each of the quiet ones writes some records, one after the other, with pauses as people make them. */
const live = async ({ line, mailbox, tenants, random }: Crowd, records: number, waits: Waits): Promise<void> => {
  const one = async (tenant: Quarters, draw: Random): Promise<void> => {
    for (let at = 0; at < records; at += 1) {
      await sleep(draw.below(1_500));
      const name = `quiet ${(marks += 1)}`;
      const begun = performance.now();
      await writeName(line, tenant, name);
      waits.deliveries.push(await arrival(mailbox, name, begun));
      waits.answers.push(await arrival(mailbox, answerTo(name), begun));
    }
  };
  await Promise.all(tenants.map((tenant, at) => one(tenant, random.fork(1_000 * marks + at))));
};

/** Until no job is under way, or due. */
const stopped = async (db: Db): Promise<void> => {
  for (const late = Date.now() + 300_000; Date.now() < late; await sleep(200)) {
    if ((await countBusy(db)) === 0) return;
  }
  throw new Error('the noise did not end');
};

const compare = (failures: Failures, isDemanded: boolean, what: string, alone: number[], beside: number[]): string => {
  const [quiet, noisy] = [percentile(alone, 0.99), percentile(beside, 0.99)];
  failures.demand(beside.every(Number.isFinite), () => `beside ${what} some of the quiet ones waited for nothing`);
  if (isDemanded)
    failures.demand(
      noisy <= mostRatio * quiet,
      () => `beside ${what} the quiet ones waited ${shown(noisy)} instead of ${shown(quiet)}`,
    );
  return `${shown(quiet)} alone, ${shown(noisy)} beside it, ${(noisy / quiet).toFixed(2)} ×`;
};

const run = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const size = sizes[scale];
  const failures = noFailures();
  const stage = await openStage(1, { ROWHOUSE_WEBHOOK_NETWORKS: '127.0.0.0/8' });
  const line = openLine((stage.servers[0] as Served).origin, stage.token);
  const mailbox = await openMailbox();
  const figures: Record<string, number | string> = { 'quiet tenants': size.tenants };
  try {
    const tenants: Quarters[] = [];
    for (let at = 0; at < size.tenants; at += 1) tenants.push(await newTenant(line, `Quiet ${at}`, mailbox.url));
    const crowd: Crowd = { line, mailbox, tenants, random: randomFrom(seed) };
    const noises: Noise[] = [
      importOf(line, size.rows),
      deadReceivers(line, 20, size.events),
      runawayAutomations(line, size.started),
    ];
    // What is done for the first time takes longer.
    await live(crowd, 2, noWaits());
    for (const noise of noises) {
      const [alone, beside] = [noWaits(), noWaits()];
      for (let round = 0; round < size.rounds; round += 1) {
        await live(crowd, size.records, alone);
        const end = await noise.begin();
        await live(crowd, size.records, beside);
        say(`${noise.name}: ${await end()}`);
        await stopped(stage.db);
      }
      const isDemanded = scale === 'full';
      figures[`deliveries beside ${noise.name}, the slowest of a hundred`] = compare(
        failures,
        isDemanded,
        `${noise.name}, for deliveries,`,
        alone.deliveries,
        beside.deliveries,
      );
      figures[`answers of automations beside ${noise.name}, the slowest of a hundred`] = compare(
        failures,
        isDemanded,
        `${noise.name}, for answers,`,
        alone.answers,
        beside.answers,
      );
    }
  } finally {
    line.hangUp();
    mailbox.close();
    await stage.close();
  }
  return { figures, failures: failures.list };
};

export const fairness: Part = {
  name: 'fairness',
  title: 'Fair work',
  run: (setting) => run(setting).finally(endPrograms),
};
