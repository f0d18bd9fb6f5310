// Names of columns and tables in the database, made from the names that people give. They hold only
// [A-Za-z0-9_], so a character is a byte and PostgreSQL's limit of 63 bytes never cuts one short.
import { invalid } from '@rowhouse/contract/error.ts';

const longestMade = 40;

/** Every PostgreSQL table has columns of these names already. */
const systemColumns: ReadonlySet<string> = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']);

// Letters that do not come apart into a plain letter and an accent.
const spelled: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'sch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
  і: 'i',
  є: 'ye',
  ґ: 'g',
  α: 'a',
  β: 'b',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
};

const spell = (letter: string): string => {
  const exact = spelled[letter];
  if (exact !== undefined) return exact;
  const lower = spelled[letter.toLowerCase()];
  return lower === undefined ? letter : lower.charAt(0).toUpperCase() + lower.slice(1);
};

/** `Prénom (légal)` → `Prenom_legal_`; always begins with a letter. */
export const dbNameFrom = (name: string): string => {
  const plain = Array.from(name.normalize('NFKD').replace(/\p{M}/gu, ''), (letter) =>
    /[\p{L}]/u.test(letter) && !/[A-Za-z]/.test(letter) ? spell(letter) : letter,
  ).join('');
  const word = plain.replace(/[^A-Za-z0-9_]+/g, '_');
  if (!/[A-Za-z0-9]/.test(word)) return 'unnamed';
  return (/^[A-Za-z]/.test(word) ? word : `t${word}`).slice(0, longestMade);
};

const isReserved = (name: string): boolean => name.startsWith('__') || systemColumns.has(name);

/** On a Citus cluster the sequence of another table may have this name on its node, where tables and sequences share their names. */
const isOfSequence = (name: string): boolean => /___auto_number_seq\d*$/.test(name);

/** A name that is not taken, made from what a person called it. */
export const freeDbName = (name: string, taken: ReadonlySet<string>): string => {
  const made = dbNameFrom(name);
  const isFree = (candidate: string): boolean =>
    !taken.has(candidate) && !isReserved(candidate) && !isOfSequence(candidate);
  if (isFree(made)) return made;
  let count = 2;
  while (!isFree(`${made}_${count}`)) count += 1;
  return `${made}_${count}`;
};

/** A name that a client chose: refused when it is the database's own, or taken. */
export const checkDbName = (given: string, taken: ReadonlySet<string>, at: string): string => {
  if (isReserved(given))
    throw invalid({ path: at, message: `"${given}" is a name of the database's own`, expected: 'another name' });
  if (taken.has(given))
    throw invalid({ path: at, message: `"${given}" is taken`, expected: 'a name that is not taken' });
  return given;
};

/** The same for a table. */
export const checkDbTableName = (given: string, taken: ReadonlySet<string>, at: string): string => {
  if (isOfSequence(given))
    throw invalid({
      path: at,
      message: `"${given}" is a name that the database gives to sequences`,
      expected: 'another name',
    });
  return checkDbName(given, taken, at);
};
