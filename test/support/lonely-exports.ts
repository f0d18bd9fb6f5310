// Finds what a file exports and no other file imports: it is used in its own file alone, or nowhere.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const folders = ['contract', 'server', 'web', 'test', 'proof', 'bench', 'scripts'];
/** Declarations of scripts, and a script that is filled in when the server is built. */
const passedOver = /(^|\/)(node_modules|dist)(\/|$)|\.d\.mts$|\.template\.mjs$/;
/** Vitest calls these by their names. */
const calledByVitest = ['setup', 'teardown'];

const filesIn = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !passedOver.test(file));

const declaration =
  /^export (?:declare )?(?:abstract )?(?:const enum|const|let|async function\*?|function\*?|class|interface|type|enum) (\w+)/gm;
const listed = /^export (?:type )?\{([^}]*)\}/gm;

/** The names outside of the file: of `a as b` the last one. */
const namesOf = (list: string, at: 0 | 1): string[] =>
  list
    .split(',')
    .map((item) => item.trim().replace(/^type /, ''))
    .filter((item) => item !== '')
    .map((item) => {
      const [one = '', other = one] = item.split(/\s+as\s+/);
      return at === 0 ? one : other;
    });

const exportsOf = (text: string): string[] => [
  ...[...text.matchAll(declaration)].map(([, name]) => name as string),
  ...[...text.matchAll(listed)].flatMap(([, list]) => namesOf(list as string, 1)),
];

const target = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
  return /^@rowhouse\/(.+)$/.exec(specifier)?.[1];
};

const imports = /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?([^'"`;()]*?)\s+from\s+'([^']+)'/g;
const dynamic = /\bimport\(\s*'([^']+)'\s*\)/g;

type Used = (file: string, names: Iterable<string>) => void;

/** Tells what one file uses of others. `known`: what those export. */
const readImports = (from: string, text: string, known: ReadonlyMap<string, readonly string[]>, use: Used): void => {
  for (const [, clause = '', specifier = ''] of text.matchAll(imports)) {
    const file = target(from, specifier);
    if (file === undefined) continue;
    const whole = /\*(?:\s+as\s+(\w+))?/.exec(clause);
    if (whole !== null) {
      const alias = whole[1];
      const members = alias === undefined ? [] : [...text.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))];
      // Handed on as a whole: everything in it may be used.
      const isWhole =
        alias === undefined || new RegExp(`(?<!\\* as )\\b${alias}\\b(?!\\.\\w)`).test(text.replace(clause, ''));
      use(file, isWhole ? (known.get(file) ?? []) : members.map(([, name]) => name as string));
    }
    const list = /\{([^}]*)\}/.exec(clause)?.[1];
    if (list !== undefined) use(file, namesOf(list, 0));
  }
  let words: Set<string> | undefined;
  const usedHere = (file: string): string[] => {
    words ??= new Set(text.match(/\w+/g));
    return (known.get(file) ?? []).filter((name) => words?.has(name));
  };
  // All files of its folder, by their names.
  if (text.includes('import(`./${'))
    for (const file of known.keys()) if (dirname(file) === dirname(from)) use(file, usedHere(file));
  for (const [, specifier = ''] of text.matchAll(dynamic)) {
    const file = target(from, specifier);
    if (file !== undefined) use(file, usedHere(file));
  }
};

/** As `file: name`. */
export const lonelyExports = (root: string): string[] => {
  const texts = new Map(
    folders.flatMap((folder) => filesIn(root, folder)).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
  const known = new Map([...texts].map(([file, text]) => [file, exportsOf(text)]));
  const used = new Set<string>();
  const use: Used = (file, names) => {
    for (const name of names) used.add(`${file}: ${name}`);
  };
  for (const [file, text] of texts) readImports(file, text, known, use);
  // Configurations at the root.
  for (const name of readdirSync(root).filter((each) => each.endsWith('.config.ts')))
    readImports(name, readFileSync(join(root, name), 'utf8'), known, use);
  // Recipes import what is there by its name; where they stand is not where they will be.
  const recipes = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const calledElsewhere = new Set([
    ...calledByVitest,
    ...[...recipes.matchAll(/import (?:type )?\{([^}]*)\} from/g)].flatMap(([, list]) => namesOf(list as string, 0)),
  ]);
  return [...known]
    .flatMap(([file, names]) => names.filter((name) => !calledElsewhere.has(name)).map((name) => `${file}: ${name}`))
    .filter((one) => !used.has(one))
    .toSorted();
};
