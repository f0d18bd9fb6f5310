// PostgreSQL's text form of an array. Where nothing needs escaping it is what JSON.stringify makes of the list, in one
// call for a whole column; element by element, as the driver does it, takes several times as long.

type Element = string | number | boolean | null;

const special = /["\\]/;
const specials = /["\\]/g;

const quoted = (text: string): string => `"${special.test(text) ? text.replace(specials, '\\$&') : text}"`;

/** `['a "b"', null]` → `{"a \"b\"",null}`. Elements are texts, finite numbers, booleans or null. */
export const arrayLiteral = (values: readonly Element[]): string => {
  const json = JSON.stringify(values);
  if (!json.includes('\\')) return `{${json.slice(1, -1)}}`;
  return `{${values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))).join(',')}}`;
};

/** For json and jsonb: the text of each element has only quotes and backslashes to escape, as both forms do. */
export const jsonArrayLiteral = (values: readonly unknown[]): string =>
  `{${JSON.stringify(values.map((value) => (value === null ? null : JSON.stringify(value)))).slice(1, -1)}}`;
