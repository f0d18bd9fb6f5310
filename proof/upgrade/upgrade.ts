// Data of every version so far opens in this one: the same answers, and it can be worked on.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Instance, newInstance, stop } from '../backup/instance.ts';
import { type Failures, noFailures } from '../failures.ts';
import { allAnswers, compareAnswers } from '../instance/answers.ts';
import { ask, hear, type Voice } from '../instance/ask.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { endPrograms } from '../program.ts';
import { isDeliberate } from './deliberate.ts';
import { type Fixture, isStable, readFixtures } from './fixture.ts';

/** By the password that was chosen in the other version. */
const signIn = async (origin: string): Promise<Voice> => {
  const signed = await hear({ origin }, 'POST', '/auth/signin', {
    email: 'olive@example.com',
    password: 'correct horse 1',
  });
  if (signed.status >= 400) throw new Error(`nobody can sign in any more: ${JSON.stringify(signed.body)}`);
  return { origin, cookie: (signed.headers.get('set-cookie') ?? '').split(';')[0] as string };
};

/** Creating, changing, converting: on a table that another version has made. */
const work = async (origin: string, { about: { tokens, tableId, baseId } }: Fixture): Promise<void> => {
  await ask({ origin, token: tokens['admin'] as string }, 'GET', '/auth/user');
  const owner = await signIn(origin);
  const historyOf = async (recordId: string): Promise<number> =>
    ((await ask(owner, 'GET', `/table/${tableId}/record/${recordId}/history`)).historyList as unknown[]).length;
  const old = (await ask(owner, 'GET', `/table/${tableId}/record?take=1`)).records[0].id as string;
  const before = await historyOf(old);
  await ask(owner, 'PATCH', `/table/${tableId}/record/${old}`, {
    record: { fields: { Stars: 4, Name: 'changed by a newer version' } },
  });
  const made = (
    await ask(owner, 'POST', `/table/${tableId}/record`, {
      records: [{ fields: { Name: 'made by a newer version', Stars: 3 } }],
    })
  ).records[0].id as string;
  await ask(owner, 'PATCH', `/table/${tableId}/record/${made}`, { record: { fields: { Stars: 5 } } });
  if (before === 0 || (await historyOf(old)) <= before || (await historyOf(made)) === 0)
    throw new Error('history is not kept');
  const field = await ask(owner, 'POST', `/table/${tableId}/field`, { name: 'Of a newer version', type: 'number' });
  await ask(owner, 'PUT', `/table/${tableId}/field/${field.id}/convert`, { type: 'singleLineText' });
  const table = await ask(owner, 'POST', `/base/${baseId}/table`, { name: 'Of a newer version' });
  await ask(owner, 'DELETE', `/base/${baseId}/table/${table.id}`);
};

/** All people of the fixture; the owner, who sees the most, where time is short. */
const peopleOf = (
  { about: { tokens }, answers }: Fixture,
  isFull: boolean,
): Pick<Fixture, 'answers'> & Pick<Fixture['about'], 'tokens'> =>
  isFull
    ? { tokens, answers }
    : {
        tokens: { owner: tokens['owner'] as string },
        answers: new Map([...answers].filter(([key]) => key.startsWith('owner '))),
      };

const open = async (
  failures: Failures,
  instance: Instance,
  fixture: Fixture,
  how: string,
  isFull = true,
): Promise<number> => {
  const server = await instance.start();
  const { tokens, answers } = peopleOf(fixture, isFull);
  failures.none(
    `${fixture.name}, ${how}: answers that are others now`,
    compareAnswers(answers, await allAnswers(server.origin, tokens, isStable), { mayGrow: true }).filter(
      (difference) => !isDeliberate(difference),
    ),
  );
  await work(server.origin, fixture).catch((error: Error) =>
    failures.none(`${fixture.name}, ${how}: what cannot be done any more`, [error.message]),
  );
  await stop(server);
  await instance
    .command('doctor')
    .catch((error: Error) => failures.none(`${fixture.name}, ${how}: what the doctor finds`, [error.message]));
  return answers.size;
};

const proveFixture = async (failures: Failures, fixture: Fixture, isFull: boolean): Promise<number> => {
  const instance = await newInstance();
  fixture.unpack(instance.data);
  let compared = await open(failures, instance, fixture, 'its data folder', isFull);
  if (!isFull) return compared;
  // The way to another PostgreSQL: by a file.
  const moved = await newInstance();
  const source = await newInstance();
  fixture.unpack(source.data);
  const file = join(source.data, '..', 'upgrade.backup');
  await source.command('backup', file);
  await moved.command('restore', file);
  compared += await open(failures, moved, fixture, 'by a backup before its migrations');
  if (fixture.backup !== undefined) {
    const restored = await newInstance();
    await restored.command('restore', fixture.backup);
    compared += await open(failures, restored, fixture, 'its own backup');
  }
  return compared;
};

const taggedVersions = (): string[] =>
  execFileSync('git', ['tag', '--list', 'v*'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  })
    .split('\n')
    .filter((tag) => tag !== '')
    .map((tag) => tag.slice(1));

const prove = async ({ scale, say }: Setting): Promise<Outcome> => {
  const failures = noFailures();
  const fixtures = readFixtures();
  failures.demand(fixtures.length > 0, () => 'there is no data of another version');
  // The newest alone where time is short.
  const tried = scale === 'full' ? fixtures : fixtures.slice(-1);
  let compared = 0;
  for (const fixture of tried) {
    compared += await proveFixture(failures, fixture, scale === 'full');
    say(`${fixture.name} (${fixture.about.commit}, PostgreSQL ${fixture.about.postgres}) opened`);
  }
  if (scale === 'full')
    failures.none(
      'tagged versions without data: run scripts/make-upgrade-fixture.ts',
      taggedVersions().filter((version) => !fixtures.some(({ name }) => name === version)),
    );
  return {
    figures: { versions: tried.map(({ name }) => name).join(', '), 'answers compared': compared },
    failures: failures.list,
  };
};

export const upgrade: Part = {
  name: 'upgrade',
  title: 'Upgrade',
  run: (setting) => prove(setting).finally(() => endPrograms()),
};
