// Which fields an index of texts can be made of, and what it has to say of each to be still right.
import { createHash } from 'node:crypto';
import { type FieldSchema, storedField, type TableSchema } from '../../../catalog/table.ts';
import type { Db } from '../../../db/db.ts';
import { compile, type Sql } from '../../../db/sql.ts';
import { cellTypeOf, columnOf, isStored } from '../../cell/types.ts';
import { createFold, type Letters } from '../../query/gram.ts';
import { type Coverage, selectLowerCases } from './search-index.sql.ts';

export interface Folding {
  fold: (text: string) => Letters;
  /** No index can be made: one of this database's letters has several in lower case, and none of gram.ts has. */
  isImpossible: boolean;
  /** Tells it from that of another database, or another version of Node.js. */
  key: string;
}

const foldings = new WeakMap<object, Promise<Folding>>();

/** Grows when gram.ts gives other parts. */
const version = 1;

const askFolding = async (db: Db): Promise<Folding> => {
  const plain = createFold();
  let isImpossible = false;
  const more = new Map<number, number>();
  for (const { code, lower } of await selectLowerCases(db)) {
    const [own, wanted] = [plain(String.fromCodePoint(code)), plain(lower)];
    if (own.join() === wanted.join()) continue;
    if (wanted.length > 1) isImpossible = true;
    more.set(code, wanted[0] ?? 0);
  }
  return {
    isImpossible,
    fold: createFold(more),
    key: `${version} ${process.versions.unicode} ${JSON.stringify([...more])}`,
  };
};

/** Letters as the database compares them: what it has the same lower case for is the same. */
export const foldingOf = (db: Db): Promise<Folding> => {
  const known = foldings.get(db.identity) ?? askFolding(db);
  foldings.set(db.identity, known);
  known.catch(() => foldings.delete(db.identity));
  return known;
};

export interface SearchedField {
  id: string;
  /** On the row `x`. */
  text: Sql;
  /** Another one where the text has become another one. */
  mark: string;
}

const markOf = (text: Sql, { key }: Folding): string => {
  const { text: statement, values } = compile(text);
  return createHash('sha1')
    .update(JSON.stringify([statement, values, key]))
    .digest('base64url')
    .slice(0, 12);
};

export const searchedField = (given: FieldSchema, folding: Folding): SearchedField | undefined => {
  const field = storedField(given);
  const { searched, hasNoText } = cellTypeOf(field);
  if (searched === undefined || hasNoText === true || !isStored(field)) return undefined;
  const text = searched(columnOf(field, 'x'), field);
  return { id: field.id, text, mark: markOf(text, folding) };
};

export const searchedFields = ({ fields }: TableSchema, folding: Folding): SearchedField[] =>
  fields.flatMap((field) => searchedField(field, folding) ?? []);

export const coverageOf = (fields: readonly SearchedField[]): Coverage =>
  Object.fromEntries(fields.map(({ id, mark }) => [id, mark]));

/** What both say. */
export const commonCoverage = (one: Coverage, other: Coverage): Coverage =>
  Object.fromEntries(Object.entries(one).filter(([id, mark]) => other[id] === mark));

export const covers = (one: Coverage, other: Coverage): boolean =>
  Object.entries(other).every(([id, mark]) => one[id] === mark);
