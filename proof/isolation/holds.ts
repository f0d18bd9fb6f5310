// Shares, forms and limited links, and every change of schema, views, choices, links and trash: nobody outside sees a record or a cell that was not visible
// before, unless a member has decided so in between. Taking the change back shows again what was shown.
import type { Person } from '../../test/support/people.ts';
import type { Random } from '../random.ts';
import { type Change, changes, lastChanges } from './holds-changes.ts';
import { type HoldsWorld, lookAround, openHolds } from './holds-world.ts';

interface Site {
  owner: Person;
  baseUrl: string;
  spaceId: string;
}

interface Held {
  failures: string[];
  made: number;
  looked: number;
}

/** One change, and back. */
const tryChange = async (world: HoldsWorld, change: Change, held: Held, before: readonly string[]): Promise<void> => {
  const look = async (when: string): Promise<string[]> => {
    const { leaks, faults, open } = await lookAround(world);
    held.looked += world.shares.length;
    held.failures.push(...[...leaks, ...faults].map((leak) => `${when}: ${leak}`));
    return open;
  };
  await change.make(world);
  held.made += 1;
  const during = await look(change.name);
  if (change.isHarmless === true && during.length < before.length)
    held.failures.push(`${change.name}: it holds ${before.filter((name) => !during.includes(name)).join(', ')}`);
  if (change.revert === undefined) return;
  await change.revert(world);
  await look(`${change.name}, and is undone`);
};

/** Every change alone, and `pairs` of them that follow each other. */
export const tryHolds = async (
  place: Site,
  random: Random,
  { singles, pairs }: { singles: number; pairs: number },
): Promise<Held> => {
  const held: Held = { failures: [], made: 0, looked: 0 };
  const fresh = async (): Promise<{ world: HoldsWorld; open: string[] }> => {
    const world = await openHolds(place.owner, place.baseUrl, place.spaceId);
    const { open, leaks, faults } = await lookAround(world);
    held.failures.push(
      ...leaks,
      ...faults,
      ...world.shares
        .filter(({ name }) => !open.includes(name))
        .map(({ name }) => `${name} shows nothing to begin with`),
    );
    return { world, open };
  };
  let { world, open } = await fresh();
  for (const change of random.shuffled(changes).slice(0, singles)) {
    await tryChange(world, change, held, open);
    const now = (await lookAround(world)).open;
    // What limits a link follows the fields of its table, and does not come back with them: then it is decided again.
    if (now.length < open.length) ({ world, open } = await fresh());
  }
  for (const change of random.shuffled(lastChanges).slice(0, singles / 3))
    await tryChange((await fresh()).world, change, held, open);
  for (let pair = 0; pair < pairs; pair += 1) {
    const { world: other } = await fresh();
    const [first, second] = random.shuffled([...changes, ...lastChanges]) as [Change, Change];
    for (const change of [first, second]) {
      try {
        await change.make(other);
        held.made += 1;
      } catch {
        // The first may have taken away what the second needs.
      }
      const { leaks, faults } = await lookAround(other);
      held.looked += other.shares.length;
      held.failures.push(...[...leaks, ...faults].map((leak) => `${first.name}; ${second.name}: ${leak}`));
    }
  }
  return held;
};
