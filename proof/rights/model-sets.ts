// Rule sets by chance, set up by the operations of the matrix: what a member reads afterwards is what the model says.
import { randomFrom } from '../random.ts';
import { setRoles } from '../../test/support/matrix.ts';
import type { Person } from '../../test/support/people.ts';
import { compareTable } from './compare.ts';
import { describeRules, drawRules } from './draw.ts';
import { type Estate, names } from './estate.ts';
import { createModel, type ModelTable } from './model.ts';
import { readerAt } from './reader.ts';

interface Sets {
  estate: Estate;
  reader: Person;
  baseUrl: string;
  seed: number;
  /** Numbers of the rule sets. */
  rounds: Iterable<number>;
  say?: (line: string) => void;
}

interface Compared {
  sets: number;
  cells: number;
  failures: string[];
}

export const compareSets = async ({ estate, reader, baseUrl, seed, rounds, say }: Sets): Promise<Compared> => {
  const tables: ReadonlyMap<string, ModelTable> = await estate.read();
  const asker = { userId: reader.userId, now: new Date() };
  const by = readerAt(baseUrl, reader.token);
  const compared: Compared = { sets: 0, cells: 0, failures: [] };
  for (const round of rounds) {
    const random = randomFrom(seed).fork(round);
    const tellsFacts = !random.once(4);
    const rules = drawRules(random, estate, tables, reader.userId, {
      recordFacts: tellsFacts,
      reveals: random.once(2),
    });
    await setRoles(estate.shop.owner, estate.shop.baseId, rules.roles);
    const model = createModel(tables, rules.granted, asker);
    for (const name of names) {
      const comparing = { random, estate, name, reader: by, model, tables, asker, tellsFacts };
      await compareTable(comparing).catch((error: Error) => {
        compared.failures.push(
          `seed ${seed}, rule set ${round}, ${name}: ${error.message}\n${describeRules(rules, estate)}`,
        );
      });
      if (model.isThere(estate.ids[name]))
        compared.cells += model
          .records(estate.ids[name])
          .reduce((sum, { fields }) => sum + Object.keys(fields).length, 0);
    }
    compared.sets += 1;
    if (compared.sets % 50 === 0) say?.(`${compared.sets} rule sets, ${compared.failures.length} that differ`);
    if (compared.failures.length > 20) break;
  }
  return compared;
};
