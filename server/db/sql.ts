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

/** A fragment that has another form on a Citus cluster: see db/citus.ts. */
export class Forked extends Sql {
  readonly onCluster: Sql;

  constructor({ strings, values }: Sql, onCluster: Sql) {
    super(strings, values);
    this.onCluster = onCluster;
  }
}

export interface Compiled {
  text: string;
  values: unknown[];
}

interface Form extends Compiled {
  readonly isForCluster: boolean;
  /** Something in it has another form on a cluster. */
  isForked: boolean;
}

/** An array or buffer that is used in several places becomes one parameter: a bulk update uses its `ids` four times. */
const append = (given: Sql, out: Form, numbers: Map<object, number>): void => {
  let fragment = given;
  if (given instanceof Forked) {
    out.isForked = true;
    if (out.isForCluster) fragment = given.onCluster;
  }
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

const formOf = (fragment: Sql, isForCluster: boolean): Form => {
  const out: Form = { text: '', values: [], isForCluster, isForked: false };
  append(fragment, out, new Map());
  return out;
};

export const compile = (fragment: Sql, isForCluster = false): Compiled => {
  const { text, values } = formOf(fragment, isForCluster);
  return { text, values };
};

/** A placeholder in a template for a value that each run provides. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A compiled statement: its text is final. */
export class Statement {
  readonly text: string;
  readonly values: unknown[];
  /** The form for a Citus cluster, if it differs. */
  readonly onCluster: (() => Compiled) | undefined;

  constructor(text: string, values: unknown[], onCluster?: () => Compiled) {
    this.text = text;
    this.values = values;
    this.onCluster = onCluster;
  }
}

export const textOf = (statement: Sql | Statement, isForCluster: boolean): Compiled =>
  statement instanceof Sql
    ? compile(statement, isForCluster)
    : isForCluster
      ? (statement.onCluster?.() ?? statement)
      : statement;

/** A value in a template that each run works out of what it provides. */
class Derived {
  readonly of: (given: Readonly<Record<string, unknown>>) => unknown;

  constructor(of: Derived['of']) {
    this.of = of;
  }
}

/** For statements that run often: the text is built once. `slot` names the values that each run provides, `derived` works out others of them. */
export const template = (
  build: (slot: <T>(name: string) => T, derived: <T>(of: (given: Readonly<Record<string, unknown>>) => T) => T) => Sql,
): ((given: Readonly<Record<string, unknown>>) => Statement) & { readonly text: string } => {
  const parameters = new Map<string, Parameter>();
  const slot = <T>(name: string): T => {
    const known = parameters.get(name) ?? new Parameter(name);
    parameters.set(name, known);
    return known as T;
  };
  const derived = <T>(of: Derived['of']): T => new Derived(of) as T;
  const { text, values, isForked } = formOf(build(slot, derived), false);
  const filled = (wanted: readonly unknown[], given: Readonly<Record<string, unknown>>): unknown[] =>
    wanted.map((value) =>
      value instanceof Parameter ? given[value.name] : value instanceof Derived ? value.of(given) : value,
    );
  if (!isForked)
    return Object.assign((given: Readonly<Record<string, unknown>>) => new Statement(text, filled(values, given)), {
      text,
    });
  let other: Compiled | undefined;
  const onCluster = (given: Readonly<Record<string, unknown>>): Compiled => {
    other ??= compile(build(slot, derived), true);
    return { text: other.text, values: filled(other.values, given) };
  };
  return Object.assign(
    (given: Readonly<Record<string, unknown>>) => new Statement(text, filled(values, given), () => onCluster(given)),
    { text },
  );
};

const tag = (strings: TemplateStringsArray, ...values: unknown[]): Sql => new Sql(strings, values);

const raw = (text: string): Sql => new Sql([text], []);

/** Accepts only string types that the compiler knows exactly. A plain `string` could come from a request. */
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
  literal: (text: string): Sql =>
    raw(
      text.includes('\\')
        ? ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
        : `'${text.replaceAll("'", "''")}'`,
    ),
  join,
  /** A whole number as a literal, where a parameter is not allowed. Throws on anything else, such as manipulated options. */
  integer: (value: unknown): Sql => {
    if (!Number.isSafeInteger(value)) throw new Error('a statement wants a whole number, and was given something else');
    return raw(String(value));
  },
  /** SQL text from our own source code (keywords, type names). The type checker rejects anything else. */
  raw: constant,
  /** SQL text from a file, if all of it matches `form`. */
  matching: (text: string, form: RegExp): Sql => {
    if (!form.test(text) || !form.source.startsWith('^') || !form.source.endsWith('$'))
      throw new Error('a statement wants text of a known form, and was given something else');
    return raw(text);
  },
  empty: raw(''),
});
