// PostgreSQL's text form of an array. Where nothing needs escaping it is what JSON.stringify makes of the list, in one
// call for a whole column; element by element, as the driver does it, takes several times as long.

type Element = string | number | boolean | null;

const special = /["\\]/;
const specials = /["\\]/g;

const quoted = (text: string): string => `"${special.test(text) ? text.replace(specials, '\\$&') : text}"`;

/** Stand between texts and for null while a whole list is escaped at once. Texts in which they occur are done one by one. */
const [between, empty] = ['\u0001', '\u0002'];

const escapedAtOnce = (values: readonly Element[]): string => {
  const marked = values.includes(null) ? values.map((value) => value ?? empty) : values;
  let text = marked.join(between);
  if (text.includes('\\')) text = text.replaceAll('\\', '\\\\');
  if (text.includes('"')) text = text.replaceAll('"', '\\"');
  const list = `{"${text.replaceAll(between, '","')}"}`;
  return marked === values ? list : list.replaceAll(`"${empty}"`, 'null');
};

/** `['a "b"', null]` → `{"a \"b\"",null}`. Elements are texts, or finite numbers, or booleans, or null. */
export const arrayLiteral = (values: readonly Element[]): string => {
  const json = JSON.stringify(values);
  if (!json.includes('\\')) return `{${json.slice(1, -1)}}`;
  if (!json.includes('\\u000')) return escapedAtOnce(values);
  return `{${values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))).join(',')}}`;
};

/** For json and jsonb: the text of each element has only quotes and backslashes to escape, as both forms do. */
export const jsonArrayLiteral = (values: readonly unknown[]): string =>
  `{${JSON.stringify(values.map((value) => (value === null ? null : JSON.stringify(value)))).slice(1, -1)}}`;
