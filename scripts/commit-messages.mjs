// Messages of commits have the form that CONTRIBUTING names. Older ones than the rule are left as they are.
import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

/** The last commit before the rule. */
const before = 'ce4430ca';
const form = /^(?:feat|fix|perf|refactor|test|docs|chore)(?:\([a-z-]+\))?: \S/;
const longest = 72;

const git = (...args) => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
};

/** What is wrong with a message; none where it is right. */
export const messageFaults = (message) => {
  const [subject = '', ...rest] = message.trim().split('\n');
  const body = rest.join('\n').trim();
  return [
    ...(form.test(subject) ? [] : ['begins with "feat|fix|perf|refactor|test|docs|chore(noun): "']),
    ...([...subject].length <= longest
      ? []
      : [`has at most ${longest} characters in its subject, not ${[...subject].length}`]),
    ...(/^(?:feat|fix|perf)/.test(subject) && body === '' ? ['says in its body why, and how it was verified'] : []),
  ];
};

/** Nothing to say where there is no history: in an archive, or in a clone that does not reach back that far. */
export const commitFaults = () => {
  const listed = git('log', '--no-merges', '--format=%h%x00%B%x01', `${before}..HEAD`) ?? '';
  return listed
    .split('\u0001')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .flatMap((entry) => {
      const [id, message] = entry.split('\0');
      return messageFaults(message).map(
        (fault) => `commit ${id}: a message ${fault} (git commit --amend, or git rebase -i)`,
      );
    });
};
