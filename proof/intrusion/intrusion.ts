// Intrusion: everything that somebody was seen to get in by, or to make the others wait with, tried again against a fresh
// instance. Every file beside this one that exports `attacks` takes part.
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Ground, openGround } from '../ground.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { endPrograms } from '../program.ts';
import type { Attack, Scene } from './attack.ts';
import { watchEventLoop, watchHealth } from './watch-health.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

const topics = async (): Promise<Map<string, Attack[]>> => {
  const found = new Map<string, Attack[]>();
  for (const file of readdirSync(folder)
    .filter((name) => /^[a-z-]+\.ts$/.test(name))
    .sort()) {
    if (file === 'intrusion.ts') continue;
    const { attacks } = (await import(`./${file}`)) as { attacks?: Attack[] };
    if (attacks !== undefined) found.set(file.replace(/\.ts$/, ''), attacks);
  }
  return found;
};

const patience = 100;

/** MB that one input may take. */
const mostMemory = 200;

/** The same machine with nothing going on, for comparison. */
const calmSeconds = 5;

interface Cost {
  /** The longest turn of the event loop, in ms of a processor. */
  stop: number;
  megabytes: number;
  /** Milliseconds of a processor. */
  cpu: number;
}

const costKinds: [kind: keyof Cost, title: string][] = [
  ['stop', 'longest turn of the event loop during a measured input, ms of a processor'],
  ['megabytes', 'most memory that a measured input took, MB'],
  ['cpu', 'most time of a processor that a measured input took, ms'],
];

/** The highest of each kind, and what it was. */
const createCosts = () => {
  const highest = new Map<string, { value: number; name: string }>();
  return {
    add(name: string, cost: Cost): void {
      for (const [kind, title] of costKinds)
        if (cost[kind] > (highest.get(title)?.value ?? -1)) highest.set(title, { value: cost[kind], name });
    },
    figures: (): Record<string, string> =>
      Object.fromEntries([...highest].map(([title, { value, name }]) => [title, `${value} (${name})`])),
  };
};

const run = async (setting: Setting): Promise<Outcome> => {
  const failures: string[] = [];
  const figures: Record<string, number | string> = {};
  const grounds: Ground[] = [];
  const open = async (env: Record<string, string>): Promise<Ground> => {
    const made = await openGround(env);
    grounds.push(made);
    return made;
  };
  try {
    const isFull = setting.scale === 'full';
    const eventLoop = watchEventLoop();
    const scene: Scene = { ...setting, ground: await open(isFull ? eventLoop.env : {}), open };
    let [tried, slowest, calm] = [0, 0, 0];
    const costs = createCosts();
    if (isFull) {
      // Up to here it started.
      await eventLoop.longestTurn();
      calm = (await watchHealth(scene.ground.origin, () => sleep(calmSeconds * 1_000))).slowest;
      figures['slowest answer of /health with nothing going on, ms'] = calm;
      figures['longest turn of the event loop with nothing going on, ms of a processor'] =
        await eventLoop.longestTurn();
    }
    for (const [topic, all] of await topics()) {
      const attacks = all
        .filter(({ isLong }) => isFull || isLong !== true)
        .filter(({ name }) => `${topic}: ${name}`.includes(setting.only ?? ''));
      if (attacks.length === 0) continue;
      setting.say(`${topic}: ${attacks.length} attacks`);
      for (const { name, isAnonymous, isMeasured, prepare, run: attack } of attacks) {
        await prepare?.(scene);
        const attempt = (): Promise<string[]> =>
          attack(scene).catch((error: unknown) => [
            `the attack itself failed: ${(error as Error).stack ?? String(error)}`,
          ]);
        // How fast a machine that runs other tests beside it answers says nothing.
        const measured = isFull && isMeasured === true ? scene.ground.measure() : undefined;
        if (isFull) await eventLoop.longestTurn();
        const outcome = isFull
          ? await watchHealth(scene.ground.origin, attempt)
          : { result: await attempt(), slowest: 0 };
        failures.push(...outcome.result.map((what) => `${topic}, ${name}: ${what}`));
        if (isAnonymous === true && isFull) {
          slowest = Math.max(slowest, outcome.slowest);
          if (outcome.slowest > calm + patience)
            failures.push(`${topic}, ${name}: /health took ${outcome.slowest} ms meanwhile`);
        }
        if (measured !== undefined) {
          const cost: Cost = { stop: await eventLoop.longestTurn(), ...measured() };
          setting.say(
            `${name}: stopped ${cost.stop} ms, ${cost.megabytes} MB, ${cost.cpu} ms of a processor, /health ${outcome.slowest} ms`,
          );
          costs.add(name, cost);
          if (cost.stop > patience)
            failures.push(`${topic}, ${name}: a turn of the event loop took ${cost.stop} ms of a processor`);
          if (cost.megabytes > mostMemory)
            failures.push(`${topic}, ${name}: the server took ${cost.megabytes} MB more`);
        }
        if (!scene.ground.isUp()) throw new Error(`the server is gone after "${name}"`);
        tried += 1;
      }
      figures[`attacks: ${topic}`] = attacks.length;
    }
    figures['attacks tried'] = tried;
    figures['got through'] = failures.length;
    Object.assign(figures, costs.figures());
    if (isFull) figures['slowest answer of /health during those without a credential, ms'] = slowest;
    const said = grounds
      .map((ground) => ground.output())
      .join('')
      .trim();
    if (said !== '') failures.push(`a server had something to say: ${said.slice(0, 500)}`);
  } finally {
    for (const ground of grounds) await ground.close().catch(() => undefined);
    await endPrograms();
  }
  return { figures, failures };
};

export const intrusion: Part = { name: 'intrusion', title: 'Intrusion', run };
