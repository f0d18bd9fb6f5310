// Rights on rows and fields: drawn rule sets against a model over all records, hidden changes that no answer may show, rules that change under load on two servers, every operation with
// canaries under a rule set, and attacks of somebody who is bound. Roles are set up by the operations of the matrix, and everything is asked over HTTP of the real program.
import { openTenant } from '../../test/support/access-tenant.ts';
import { openAviary, inCells } from '../../test/support/aviary.ts';
import { callHidden, isOfTemplates, telling } from '../../test/support/canary-walk.ts';
import { everyAction, setRoles, when } from '../../test/support/matrix.ts';
import { openWorkshop } from '../../test/support/tables.ts';
import { member } from '../../test/support/workspace.ts';
import { type Ground, openGround } from '../ground.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { endPrograms, serve } from '../program.ts';
import { randomFrom } from '../random.ts';
import { attack } from './attack.ts';
import { openAttackGround } from './attack-ground.ts';
import { changeWhileRead } from './changing.ts';
import { openEstate } from './estate.ts';
import { writeWhileKilled } from './killed.ts';
import { compareSets } from './model-sets.ts';
import { changeUnseen } from './unseen.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Every operation that tells something, as somebody who sees the record of a number alone: no answer has a mark that stands in cells. */
const walk = async (ground: Ground): Promise<{ calls: number; failures: string[] }> => {
  const tenant = await openTenant(ground);
  const bound = await member(ground, tenant.owner, tenant.things.baseId, 'creator');
  const aviary = await openAviary(ground, tenant);
  const { baseId, tableId } = aviary.things;
  await setRoles(tenant.owner, baseId, [
    {
      members: [bound.userId],
      tables: { [tableId]: { grants: [{ actions: everyAction, when: when(aviary.fields.number, 'is', 8_888_888) }] } },
    },
  ]);
  const limited = { token: bound.token, label: 'bound', hidden: { cell: [inCells], 'share link': [aviary.shareId] } };
  let calls = 0;
  const failures: string[] = [];
  for (const endpoint of telling.filter((one) => !isOfTemplates(one))) {
    const { slips, answers } = await callHidden(ground, tenant, aviary, endpoint, limited);
    failures.push(...slips);
    calls += answers.length;
  }
  return { calls, failures };
};

const run = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const isFull = scale === 'full';
  const ground = await openGround({ ROWHOUSE_INVITATIONS_PER_HOUR: '1000000' });
  try {
    const invite = (shop: Awaited<ReturnType<typeof openWorkshop>>) =>
      member(ground, shop.owner, shop.baseId, 'viewer');
    const { estate, reader } = await openEstate(ground, invite);
    const { baseUrl } = ground;
    const compared = await compareSets({ estate, reader, baseUrl, seed, rounds: upTo(isFull ? 1_000 : 2), say });
    const unseen = await changeUnseen({ estate, reader, baseUrl, seed, rounds: upTo(isFull ? 500 : 2), say });
    say(`hidden changes: ${unseen.failures.length} seen`);

    const shop = await openWorkshop(ground);
    const other = await serve({ ...ground.env, ROWHOUSE_INVITATIONS_PER_HOUR: '1000000' });
    const changing = await changeWhileRead({
      shop,
      reader: await invite(shop),
      servers: [baseUrl, `${other.origin}/api`],
      random: randomFrom(seed).fork(1),
      count: isFull ? 500 : 10,
    });
    say(`rules that change: ${changing.failures.length} answers by others`);

    const walked = await walk(ground);
    say(`walk: ${walked.failures.length} marks seen`);
    const target = await openWorkshop(ground);
    const attacker = await member(ground, target.owner, target.baseId, 'editor');
    const narrow = await attacker.withToken({ baseIds: [target.baseId] });
    const place = await openAttackGround(target, attacker);
    const attacked = await attack(
      place,
      baseUrl,
      [
        { token: attacker.token, label: 'member' },
        ...(isFull ? [{ token: narrow.token, label: 'token' }] : []),
        { token: undefined, label: 'visitor' },
      ],
      randomFrom(seed).fork(2),
    );
    // The same reads by somebody who sees everything: they tell the secrets apart, or the attempts would prove nothing.
    const owner = [{ token: target.owner.token, label: 'owner', onlyReads: true as const }];
    const told = (await attack(place, baseUrl, owner, randomFrom(seed).fork(3))).failures.length;
    if (told < 100)
      attacked.failures.push(`the owner is told the secrets by ${told} reads only: the attempts prove nothing`);
    const killed = await writeWhileKilled({ scale, say }, { draw: randomFrom(seed).fork(4), kills: isFull ? 60 : 1 });
    say(`kills: ${killed.failures.length} wrong`);
    const failures = [compared, unseen, changing, walked, attacked, killed].flatMap((one) => one.failures);
    return {
      figures: {
        'Rule sets against the model': compared.sets,
        'Cells that these show': compared.cells,
        'Rule sets in which hidden things were changed': unseen.sets,
        'Hidden changes': unseen.changes,
        'Answers compared before and after them': unseen.answers,
        'Changes of rules under load, on two servers': changing.changes,
        'Lists answered meanwhile': changing.answers,
        'Requests of the walk with canaries': walked.calls,
        'Attempts to tell one secret from another': attacked.attempts,
        'Reads that tell them apart for an owner': told,
        'Kills of the server and PostgreSQL while a member writes': killed.kills,
        'Writes of theirs acknowledged, and forbidden ones refused': `${killed.acknowledged}, ${killed.forbidden}`,
        'What should not have been': failures.length,
      },
      failures: failures.slice(0, 100),
    };
  } finally {
    await ground.close();
  }
};

export const rights: Part = {
  name: 'rights',
  title: 'Who sees which rows and cells',
  run: (setting) => run(setting).finally(endPrograms),
};
