// Intrusion: everything that somebody was seen to get in by, or to make the others wait with, tried again against a fresh
// instance. Every file beside this one that exports `attacks` takes part.
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Ground, openGround } from '../ground.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { endPrograms } from '../program.ts';
import type { Attack, Scene } from './attack.ts';
import { watchHealth } from './watch-health.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

const topics = async (): Promise<Map<string, Attack[]>> => {
  const found = new Map<string, Attack[]>();
  for (const file of readdirSync(folder).filter((name) => /^[a-z-]+\.ts$/.test(name)).sort()) {
    if (file === 'intrusion.ts') continue;
    const { attacks } = (await import(`./${file}`)) as { attacks?: Attack[] };
    if (attacks !== undefined) found.set(file.replace(/\.ts$/, ''), attacks);
  }
  return found;
};

const patience = 100;

/** The same machine with nothing going on, for comparison. */
const calmSeconds = 5;

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
    const scene: Scene = { ...setting, ground: await open({}), open };
    let [tried, slowest] = [0, 0];
    if (setting.scale === 'full') figures['slowest answer of /health with nothing going on, ms'] = (await watchHealth(scene.ground.origin, () => sleep(calmSeconds * 1_000))).slowest;
    for (const [topic, attacks] of await topics()) {
      setting.say(`${topic}: ${attacks.length} attacks`);
      for (const { name, isAnonymous, run: attack } of attacks) {
        const attempt = (): Promise<string[]> => attack(scene).catch((error: unknown) => [`the attack itself failed: ${(error as Error).stack ?? String(error)}`]);
        // How fast a machine that runs other tests beside it answers says nothing.
        const outcome = setting.scale === 'full' ? await watchHealth(scene.ground.origin, attempt) : { result: await attempt(), slowest: 0 };
        failures.push(...outcome.result.map((what) => `${topic}, ${name}: ${what}`));
        if (isAnonymous === true && setting.scale === 'full') {
          slowest = Math.max(slowest, outcome.slowest);
          if (outcome.slowest > patience) failures.push(`${topic}, ${name}: /health took ${outcome.slowest} ms meanwhile`);
        }
        if (!scene.ground.isUp()) throw new Error(`the server is gone after "${name}"`);
        tried += 1;
      }
      figures[`attacks: ${topic}`] = attacks.length;
    }
    figures['attacks tried'] = tried;
    figures['got through'] = failures.length;
    if (setting.scale === 'full') figures['slowest answer of /health during those without a credential, ms'] = slowest;
    const said = grounds.map((ground) => ground.output()).join('').trim();
    if (said !== '') failures.push(`a server had something to say: ${said.slice(0, 500)}`);
  } finally {
    for (const ground of grounds) await ground.close().catch(() => undefined);
    await endPrograms();
  }
  return { figures, failures };
};

export const intrusion: Part = { name: 'intrusion', title: 'Intrusion', run };
