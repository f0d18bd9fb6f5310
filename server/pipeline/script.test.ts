import { expect, test } from 'vitest';
import type { Tx } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import { runScript, type Script } from './script.ts';

interface Names {
  lock: string;
  check: string;
  rows: string;
  settle: string;
}

/** Answers each statement after a turn of the loop, in order, and keeps what happened. */
const recorded = (opening: boolean, fails: string[] = []) => {
  const log: string[] = [];
  let before: Promise<unknown> = Promise.resolve();
  const tx = {
    kind: 'transaction',
    opening: opening ? sql`select 1` : undefined,
    query(statement: { strings: readonly string[] }) {
      const name = statement.strings[0] as string;
      log.push(`send ${name}`);
      const answer = before.then(async () => {
        await new Promise((done) => setImmediate(done));
        log.push(`answer ${name}`);
        if (fails.includes(name)) throw new Error(`${name} failed`);
        return [{ name }];
      });
      before = answer.catch(() => undefined);
      return answer;
    },
    commitBehind: () => log.push('send commit'),
  } as unknown as Tx;
  return { tx, log };
};

const nameOf = (text: string) => ({
  statement: { strings: [text], values: [] } as never,
  read: ([row]: { name: string }[]) => row?.name as string,
});

const script: Script<Names> = [
  { name: 'lock', ask: () => nameOf('lock') },
  { name: 'rows', behind: true, ask: (answers) => nameOf(`rows after ${answers.find('lock') ?? 'nothing'}`) },
  { name: 'check', work: (answers) => `checked ${answers.get('lock')}` },
  { name: 'settle', ask: (answers) => nameOf(`settle ${answers.get('rows')}`) },
  { commit: true },
];

test('an entry behind others is sent before they answer, and any other waits for all before it', async () => {
  const { tx, log } = recorded(true);
  const answers = await runScript(tx, script);
  expect(log).toEqual([
    'send lock',
    'send rows after nothing',
    'answer lock',
    'answer rows after nothing',
    'send settle rows after nothing',
    'send commit',
    'answer settle rows after nothing',
  ]);
  expect(answers.get('check')).toBe('checked lock');
});

test('in a transaction that cannot send ahead every entry waits', async () => {
  const { tx, log } = recorded(false);
  await runScript(tx, script);
  expect(log.slice(0, 3)).toEqual(['send lock', 'answer lock', 'send rows after lock']);
});

test('the first failure is told, whatever fails behind it', async () => {
  const { tx, log } = recorded(true, ['lock', 'rows after nothing']);
  await expect(runScript(tx, script)).rejects.toThrow('lock failed');
  expect(log).not.toContain('send settle rows after nothing');
});

test('an answer that was not waited for cannot be used', async () => {
  const { tx } = recorded(true);
  const early: Script<Names> = [
    { name: 'lock', ask: () => nameOf('lock') },
    { name: 'rows', behind: true, ask: (answers) => nameOf(answers.get('lock')) },
  ];
  await expect(runScript(tx, early)).rejects.toThrow('the answer of "lock" is needed before it is there');
});
