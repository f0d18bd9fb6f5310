// People name fields by name, formulas are stored with ids: renaming a field changes no formula. Both ways only what
// stands between braces is replaced; spaces, comments and texts stay as they were written.
import { FormulaError } from './error.ts';
import { nearestOf } from './nearest.ts';
import { type Token, tokensOf } from './tokens.ts';

interface NamedField {
  id: string;
  name: string;
}

const rewrite = (text: string, replacement: (token: Token) => string | undefined): string => {
  let written = '';
  let end = 0;
  for (const token of tokensOf(text)) {
    if (token.kind !== 'field') continue;
    const key = replacement(token);
    if (key === undefined) continue;
    written += `${text.slice(end, token.start)}{${key.replace(/[\\}]/g, '\\$&')}}`;
    end = token.end;
  }
  return written + text.slice(end);
};

/** Finds a field by its id, else by its name; spaces inside of the braces do not matter. */
export const fieldFinder = <F extends NamedField>(fields: readonly F[]): ((key: string) => F | undefined) => {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const byName = new Map(fields.map((field) => [field.name, field]));
  return (key) => byId.get(key.trim()) ?? byName.get(key) ?? byName.get(key.trim());
};

/** As it is stored. */
export const withIds = (text: string, fields: readonly NamedField[]): string => {
  const find = fieldFinder(fields);
  return rewrite(text, ({ value, start, end }) => {
    const field = find(value);
    if (field !== undefined) return field.id;
    const near = nearestOf(
      value.trim(),
      fields.map(({ name }) => name),
    );
    throw new FormulaError(`There is no field {${value}} in this table`, {
      start,
      end,
      expected: 'the name or id of a field of this table',
      ...(near === undefined ? {} : { nearest: `{${near}}` }),
    });
  });
};

/** As it is shown. The id of a field that is gone stays an id, and so does one whose name would be read as another field. */
export const withNames = (text: string, fields: readonly NamedField[]): string => {
  const find = fieldFinder(fields);
  return rewrite(text, ({ value }) => {
    const field = find(value);
    return field !== undefined && field.id === value.trim() && find(field.name) === field ? field.name : undefined;
  });
};

/** With other ids: of a copied table, say. */
export const withOtherIds = (text: string, ids: ReadonlyMap<string, string>): string =>
  rewrite(text, ({ value }) => ids.get(value.trim()));

/** The keys between braces, as they are written. */
export const keysOf = (text: string): string[] => [
  ...new Set(
    tokensOf(text)
      .filter(({ kind }) => kind === 'field')
      .map(({ value }) => value.trim()),
  ),
];
