// The one way SQL is written: a tagged template whose values become parameters, whose fragments nest,
// and whose identifiers are quoted by `sql.id`.

export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

export interface Compiled {
  text: string;
  values: unknown[];
}

/** An array or buffer that stands in several places is sent once: `ids` of a bulk update stand in four. */
const append = (fragment: Sql, out: Compiled, numbers: Map<object, number>): void => {
  out.text += fragment.strings[0];
  fragment.values.forEach((value, at) => {
    if (value instanceof Sql) append(value, out, numbers);
    else {
      const known = typeof value === 'object' && value !== null ? numbers.get(value) : undefined;
      if (known === undefined) {
        out.values.push(value);
        if (typeof value === 'object' && value !== null) numbers.set(value, out.values.length);
      }
      out.text += `$${known ?? out.values.length}`;
    }
    out.text += fragment.strings[at + 1];
  });
};

export const compile = (fragment: Sql): Compiled => {
  const out: Compiled = { text: '', values: [] };
  append(fragment, out, new Map());
  return out;
};

/** Stands in a template for a value that is given when it is run. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A statement whose text is known already. */
export class Statement {
  readonly text: string;
  readonly values: unknown[];

  constructor(text: string, values: unknown[]) {
    this.text = text;
    this.values = values;
  }
}

/** For a statement that is run often: its text is put together once. `slot` names each value that a run is given. */
export const template = (build: (slot: <T>(name: string) => T) => Sql): ((given: Readonly<Record<string, unknown>>) => Statement) & { readonly text: string } => {
  const parameters = new Map<string, Parameter>();
  const slot = <T>(name: string): T => {
    const known = parameters.get(name) ?? new Parameter(name);
    parameters.set(name, known);
    return known as T;
  };
  const { text, values } = compile(build(slot));
  return Object.assign((given: Readonly<Record<string, unknown>>) => new Statement(text, values.map((value) => (value instanceof Parameter ? given[value.name] : value))), { text });
};

const tag = (strings: TemplateStringsArray, ...values: unknown[]): Sql => new Sql(strings, values);

const raw = (text: string): Sql => new Sql([text], []);

/** Text whose every value the compiler knows: what it only knows to be some text may have come from outside. */
type Constant<T extends string> = Record<never, never> extends Record<T, 1> ? never : T;

/** A list of constants, or one, or the other. */
const constant = <const T extends string>(text: Constant<T>): Sql => raw(text);

const quoteIdentifier = (name: string): string => {
  if (name.includes('\0')) throw new Error('an identifier cannot hold a zero byte');
  return `"${name.replaceAll('"', '""')}"`;
};

const join = (fragments: readonly Sql[], separator = ', '): Sql => {
  if (fragments.length === 0) return raw('');
  return new Sql(['', ...fragments.slice(1).map(() => separator), ''], fragments);
};

export const sql = Object.assign(tag, {
  /** `"schema"."table"`: identifiers from the catalog, never from a request. */
  id: (...names: string[]): Sql => raw(names.map(quoteIdentifier).join('.')),
  /** A string literal, for places where a parameter is not allowed (DDL). */
  literal: (text: string): Sql => raw(text.includes('\\') ? ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : `'${text.replaceAll("'", "''")}'`),
  join,
  /** A whole number as it is written, for places where a parameter is not allowed. Anything else, such as options that were tampered with, is an error. */
  integer: (value: unknown): Sql => {
    if (!Number.isSafeInteger(value)) throw new Error('a statement wants a whole number, and was given something else');
    return raw(String(value));
  },
  /** Text of the program itself (keywords, type names): the compiler takes nothing else. */
  raw: constant,
  /** Text of a file that has one of the few forms which `form` allows, from beginning to end. */
  matching: (text: string, form: RegExp): Sql => {
    if (!form.test(text) || !form.source.startsWith('^') || !form.source.endsWith('$')) throw new Error('a statement wants text of a known form, and was given something else');
    return raw(text);
  },
  empty: raw(''),
});
