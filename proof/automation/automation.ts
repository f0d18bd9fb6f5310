// Automations under kill -9 of the server and of PostgreSQL: each new record starts each automation once, and each of its steps writes once; so does each press of a button. The steps add lines to a log,
// so that one that is done twice, or not at all, shows there.
import { setTimeout as sleep } from 'node:timers/promises';
import { activateAutomation, createAutomation, listAutomationRuns } from '@rowhouse/contract/automation.ts';
import type { Step } from '@rowhouse/contract/automation-definition.ts';
import { createRecords, listRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';
import { openLine } from '../client.ts';
import { noFailures } from '../failures.ts';
import { fall, hurryIn, sum } from '../kill/fall.ts';
import { type Ground, layGround } from '../kill/ground.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { endPrograms } from '../program.ts';
import { type Random, randomFrom } from '../random.ts';
import { good } from '../stage.ts';
import { hurryRuns } from './hurry.sql.ts';
import { layButton } from './press.ts';

/** What an automation writes into the log about a record with this number. */
type LinesOf = (number: number) => string[];

/** Steps that are drawn, and what they are to leave. */
const drawSteps = (draw: Random, at: number, countId: string, logId: string): { steps: Step[]; lines: LinesOf } => {
  const parts = Array.from({ length: 1 + draw.below(4) }, (_, index) => {
    const mark = `${at}.${index}`;
    const fields = { Text: { template: `{trigger.recordId} ${mark}` } };
    const log: Step = { type: 'createRecord', id: `log${index}`, tableId: logId, fields };
    if (draw.below(2) === 0) return { step: log, line: () => mark };
    const limit = draw.below(100);
    const condition = { formula: `{trigger.${countId}} > ${limit}` };
    const choice: Step = { type: 'if', id: `if${index}`, condition, then: [log] };
    return { step: choice, line: (number: number) => (number > limit ? mark : undefined) };
  });
  return {
    steps: parts.map(({ step }) => step),
    lines: (number) => parts.flatMap(({ line }) => line(number) ?? []),
  };
};

/** Creates records until `count` are acknowledged or the server falls; answers how many were. */
const write = async (
  { origin, token, tableId, fieldIds }: Ground,
  draw: Random,
  count: number,
  isOver: () => boolean,
): Promise<number> => {
  const line = openLine(origin, token);
  let acknowledged = 0;
  while (acknowledged < count && !isOver()) {
    const answer = await line
      .call(createRecords, {
        params: { tableId },
        body: { fieldKeyType: 'id', records: [{ fields: { [fieldIds.count]: draw.below(100) } }] },
      })
      .catch(() => undefined);
    if (answer?.status === 201) acknowledged += 1;
    else await sleep(20);
  }
  line.hangUp();
  return acknowledged;
};

const recordsOf = async ({ origin, token }: Ground, tableId: string) => {
  const line = openLine(origin, token);
  const found: { id: string; fields: Record<string, unknown> }[] = [];
  for (let skip = 0; ; skip += 1_000) {
    const query = { fieldKeyType: 'id' as const, take: 1_000, skip };
    const { records } = good(await line.call(listRecords, { params: { tableId }, query })).body;
    found.push(...records);
    if (records.length < 1_000) break;
  }
  line.hangUp();
  return found;
};

const hasOpenRuns = async ({ origin, token, baseId }: Ground, automationIds: readonly string[]): Promise<boolean> => {
  const line = openLine(origin, token);
  let isOpen = false;
  for (const automationId of automationIds)
    for (const state of ['waiting', 'running'] as const) {
      const params = { baseId, automationId };
      isOpen ||= good(await line.call(listAutomationRuns, { params, query: { state, take: 1 } })).body.runs.length > 0;
    }
  line.hangUp();
  return isOpen;
};

const run = async ({ seed, scale, requests, say }: Setting): Promise<Outcome> => {
  const [all, allKills, automations] = scale === 'full' ? [500, 60, 4] : [24, 2, 2];
  // A part of it, to see how long the whole takes.
  const records = requests ?? all;
  const kills = Math.max(1, Math.round((allKills * records) / all));
  const random = randomFrom(seed);
  const failures = noFailures();
  const laid = await layGround({});
  const { ground } = laid;
  let { server } = laid;
  const line = openLine(ground.origin, ground.token);
  const { baseId, tableId, fieldIds } = ground;
  const log = good(
    await line.call(createTable, {
      params: { baseId },
      body: { name: 'Log', records: [], fields: [{ name: 'Text', type: 'singleLineText' }] },
    }),
  ).body;
  const textId = log.fields[0]?.id as string;
  const before = new Set((await recordsOf(ground, tableId)).map(({ id }) => id));
  const drawn: LinesOf[] = [];
  const automationIds: string[] = [];
  for (let at = 0; at < automations; at += 1) {
    const { steps, lines } = drawSteps(random.fork(at), at, fieldIds.count, log.id);
    const trigger = { type: 'recordCreated' as const, tableId };
    const made = good(
      await line.call(createAutomation, { params: { baseId }, body: { name: `Drawn ${at}`, trigger, steps } }),
    ).body;
    good(await line.call(activateAutomation, { params: { baseId, automationId: made.id } }));
    automationIds.push(made.id);
    drawn.push(lines);
  }
  const presser = await layButton(ground, log.id, 'pressed');
  automationIds.push(presser.automationId);
  line.hangUp();
  let acknowledged = 0;
  for (let killed = 0; killed < kills || acknowledged < records; killed += 1) {
    const draw = random.fork(100 + killed);
    let isOver = false;
    const share = Math.ceil(Math.max(records - acknowledged, 2) / Math.max(1, kills - killed) / 2);
    const loads = [0, 1].map((writer) => write(ground, draw.fork(writer), share, () => isOver));
    const pressing = presser.press(share, () => isOver);
    await sleep(draw.below(1_500));
    if (killed < kills) {
      server = await fall(ground, server, {
        count: killed,
        scale,
        draw,
        hurry: hurryRuns,
        cutOff: async () => {
          isOver = true;
          acknowledged += sum(await Promise.all(loads));
          await pressing;
        },
      });
    } else {
      acknowledged += sum(await Promise.all(loads));
      await pressing;
    }
    if (killed % 10 === 0) say(`${killed} kills, ${acknowledged} records`);
  }
  await presser.settle();
  // A record may be there though its answer was cut off: the model goes by what is there.
  const made = (await recordsOf(ground, tableId)).filter(({ id }) => !before.has(id));
  const wanted = made
    .flatMap(({ id, fields }) =>
      drawn.flatMap((lines) => lines((fields[fieldIds.count] as number | undefined) ?? 0).map((one) => `${id} ${one}`)),
    )
    .toSorted();
  const texts = async (): Promise<string[]> =>
    (await recordsOf(ground, log.id)).map(({ fields }) => String(fields[textId]));
  const present = async (): Promise<string[]> => (await texts()).filter((text) => text !== 'pressed').toSorted();
  const late = Date.now() + (scale === 'full' ? 600_000 : 120_000);
  let found = await present();
  while ((found.length < wanted.length || (await hasOpenRuns(ground, automationIds))) && Date.now() < late) {
    await hurryIn(ground, hurryRuns, false);
    await sleep(500);
    found = await present();
  }
  const counts = new Map<string, number>();
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  failures.none(
    'steps that were done twice',
    [...counts].filter(([, count]) => count > 1).map(([text, count]) => `${text}: ${count} times`),
  );
  const known = new Set(wanted);
  failures.none(
    'steps that were not done',
    wanted.filter((one) => !counts.has(one)),
  );
  failures.none(
    'lines that no step was to write',
    found.filter((one) => !known.has(one)),
  );
  const [counted, pressed] = [await presser.counted(), (await texts()).filter((text) => text === 'pressed').length];
  failures.demand(
    counted === presser.answered() && pressed === counted,
    () => `${presser.answered()} presses were answered, the button counts ${counted}, and ${pressed} were followed`,
  );
  return {
    figures: {
      'presses of a button, each counted and followed once': counted,
      'records acknowledged': acknowledged,
      'kills of the server, of PostgreSQL and of both': kills,
      'runs of drawn automations': made.length * automations,
      'records that steps wrote, each once': found.length,
    },
    failures: failures.list,
  };
};

export const automation: Part = {
  name: 'automation',
  title: 'Automations',
  run: (setting) => run(setting).finally(endPrograms),
};
