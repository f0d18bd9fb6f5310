// Rule sets by chance, set up by the operations of the matrix, and a member over HTTP: what they read is what a model in plain TypeScript says, no cell more and none less; and what they
// do not see can change without a letter of what they read being another one.
import { expect, test } from 'vitest';
import { randomFrom } from '../../proof/random.ts';
import { attack } from '../../proof/rights/attack.ts';
import { openAttackGround } from '../../proof/rights/attack-ground.ts';
import { changeWhileRead } from '../../proof/rights/changing.ts';
import { openEstate } from '../../proof/rights/estate.ts';
import { compareSets } from '../../proof/rights/model-sets.ts';
import { changeUnseen } from '../../proof/rights/unseen.ts';
import { howMany } from '../support/cases.ts';
import { plansWith } from '../support/plans.ts';
import { seed } from '../support/seed.ts';
import { member } from '../support/workspace.ts';
import { openWorkshop } from '../support/tables.ts';
import { openWorld, useWorld } from '../support/world.ts';

const plans = plansWith({ free: { advancedPermissionsEnable: true } });
const world = useWorld({}, { plans });

test('every way to read shows what the rules say, no cell more and none less', { timeout: 600_000 }, async () => {
  const { estate, reader } = await openEstate(world(), (shop) => member(world(), shop.owner, shop.baseId, 'viewer'));
  const rounds = Array.from({ length: howMany(200, 3) }, (_, at) => at);
  const { failures } = await compareSets({ estate, reader, baseUrl: world().baseUrl, seed, rounds });
  expect(failures, `TEST_SEED=${seed}`).toEqual([]);
});

test('what they do not see can change without a letter of what they read being another', {
  timeout: 600_000,
}, async () => {
  const { estate, reader } = await openEstate(world(), (shop) => member(world(), shop.owner, shop.baseId, 'viewer'));
  const failures: string[] = [];
  let changes = 0;
  // A drawn rule set may hide nothing: it goes on until there was something to change.
  for (let round = 0; round < howMany(100, 2) || (changes === 0 && round < 100); round += 1) {
    const found = await changeUnseen({ estate, reader, baseUrl: world().baseUrl, seed, rounds: [round] });
    failures.push(...found.failures);
    changes += found.changes;
  }
  expect(failures, `TEST_SEED=${seed}`).toEqual([]);
  expect(changes).toBeGreaterThan(0);
});

test('rules that change while two servers read and write: each answer is by rules that were in force', async () => {
  const shop = await openWorkshop(world());
  const reader = await member(world(), shop.owner, shop.baseId, 'viewer');
  const other = await openWorld(world().databaseUrl, {}, { plans });
  try {
    const { failures, answers } = await changeWhileRead({
      shop,
      reader,
      servers: [world().baseUrl, other.baseUrl],
      random: randomFrom(seed),
      count: howMany(200, 10),
    });
    expect(failures, `TEST_SEED=${seed}`).toEqual([]);
    expect(answers).toBeGreaterThan(0);
  } finally {
    await other.close();
  }
});

test('a member and a visitor try to tell one secret from another', async () => {
  const shop = await openWorkshop(world());
  const attacker = await member(world(), shop.owner, shop.baseId, 'editor');
  const { failures } = await attack(
    await openAttackGround(shop, attacker),
    world().baseUrl,
    [
      { token: attacker.token, label: 'member' },
      { token: undefined, label: 'visitor' },
      { token: shop.owner.token, label: 'owner', onlyReads: true },
    ],
    randomFrom(seed),
    howMany(1, 0.25),
  );
  const isOwner = (failure: string): boolean => failure.startsWith('owner: ');
  expect(
    failures.filter((failure) => !isOwner(failure)),
    `TEST_SEED=${seed}`,
  ).toEqual([]);
  // The owner is told the secrets by the same reads, or the attempts would prove nothing.
  expect(failures.filter(isOwner).length).toBeGreaterThanOrEqual(howMany(100, 20));
});
