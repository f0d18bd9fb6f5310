// The recipes of CONTRIBUTING, followed to the letter in a copy of the sources.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Step {
  kind: 'ts' | 'tsx' | 'sql' | 'diff';
  path: string;
  lines: string[];
}

/** Code blocks that name a file. */
const stepsIn = (markdown: string): Step[] =>
  [...markdown.matchAll(/^( *)```(tsx|ts|sql|diff) (\S+)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', kind, path = '', code = '']) => ({
      kind: kind as Step['kind'],
      path,
      lines: code
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(indent.length)),
    }),
  );

const take = (lines: string[], ...signs: string[]): string =>
  lines
    .filter((line) => signs.includes(line[0] ?? ' '))
    .map((line) => `${line.slice(1)}\n`)
    .join('');

const follow = (folder: string, { kind, path, lines }: Step): void => {
  const file = join(folder, path);
  if (kind !== 'diff') {
    mkdirSync(dirname(file), { recursive: true });
    return writeFileSync(file, `${lines.join('\n')}\n`, { flag: 'wx' });
  }
  const [before, wanted, after] = [readFileSync(file, 'utf8'), take(lines, ' ', '-'), take(lines, ' ', '+')];
  if (before.split(wanted).length !== 2)
    throw new Error(`CONTRIBUTING changes a part of ${path} that is not there once:\n${wanted}`);
  writeFileSync(
    file,
    before.replace(wanted, () => after),
  );
};

const isSource = (path: string): boolean => !/\/(node_modules|dist)$/.test(path) && !path.endsWith('.test.ts');

/** Packages as they are, but for those of the copy. */
const linkPackages = (folder: string, hasWeb: boolean): void => {
  const modules = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules/@rowhouse'), { recursive: true });
  symlinkSync(join(modules, '.package-lock.json'), join(folder, 'node_modules/.package-lock.json'));
  for (const name of readdirSync(modules).filter((each) => !each.startsWith('.') && each !== '@rowhouse'))
    symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  for (const name of ['contract', 'server'])
    symlinkSync(join(folder, name), join(folder, 'node_modules/@rowhouse', name));
  symlinkSync(join(hasWeb ? folder : root, 'web'), join(folder, 'node_modules/@rowhouse/web'));
};

/**
 * Into an empty folder: the sources as on a fresh checkout, with what the recipes add. The web app is left out unless it is asked for: building it takes longer than
 * everything else. Answers the files that the recipes name.
 */
export const followRecipes = (folder: string, hasWeb = false): string[] => {
  for (const name of ['contract', 'scripts', 'server', ...(hasWeb ? ['web'] : [])])
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isSource });
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name));
  linkPackages(folder, hasWeb);
  const steps = stepsIn(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
  for (const step of steps) if (hasWeb || !step.path.startsWith('web/')) follow(folder, step);
  return steps.map(({ path }) => path);
};
