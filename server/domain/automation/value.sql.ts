// Values of a step: checked when they are saved, and made by PostgreSQL when the step runs, all of a step in one statement.
import { isFormulaValue, isTemplateValue, type Value } from '@rowhouse/contract/automation-definition.ts';
import type { Issue } from '@rowhouse/contract/error.ts';
import { one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { cellTypeOf } from '../cell/types.ts';
import { check } from '../formula/check.ts';
import { emit } from '../formula/emit.sql.ts';
import { FormulaError } from '../formula/error.ts';
import { parse, type Tree } from '../formula/parse.ts';
import { keysOf, withOtherIds } from '../formula/references.ts';
import type { Term } from '../formula/term.ts';
import { findReference, namesIn, type Reference, type Sources, unknownReference } from './reference.ts';
import { type Part, partsOfTemplate, templateText, templateTree } from './template.ts';

const longestTemplate = 20_000;

interface Compiled {
  term: Term;
  references: Map<string, Reference>;
  /** The reference that is all there is of it: its value is taken as it is. */
  only: Reference | undefined;
}

const compileTree = (tree: Tree, sources: Sources): Compiled => {
  const references = new Map<string, Reference>();
  const { term } = check(tree, {
    field(key) {
      const found = findReference(key, sources);
      if (found === undefined) return undefined;
      references.set(found.key, found);
      return { id: found.key, name: found.key, type: found.type };
    },
    fieldNames: () => namesIn(sources),
  });
  return { term, references, only: term.op === 'field' ? references.get(term.id) : undefined };
};

/** The formula of a value; undefined for one that is taken as it is. */
const treeOf = (value: Value): Tree | undefined =>
  isFormulaValue(value)
    ? parse(value.formula)
    : isTemplateValue(value)
      ? templateTree(partsOfTemplate(value.template))
      : undefined;

const storedFormula = (text: string, sources: Sources): string =>
  withOtherIds(
    text,
    new Map(
      keysOf(text).flatMap((key) =>
        findReference(key, sources) === undefined ? [] : [[key, (findReference(key, sources) as Reference).key]],
      ),
    ),
  );

const storedPart = (part: Part, sources: Sources): Part =>
  part.kind === 'reference'
    ? { ...part, text: findReference(part.text, sources)?.key ?? part.text }
    : part.kind === 'formula'
      ? { ...part, text: storedFormula(part.text, sources) }
      : part;

const unknownIn = (value: Value, sources: Sources): string | undefined => {
  const keys = isFormulaValue(value)
    ? keysOf(value.formula)
    : partsOfTemplate((value as { template: string }).template).flatMap(({ kind, text }) =>
        kind === 'reference' ? [text] : kind === 'formula' ? keysOf(text) : [],
      );
  return keys.find((key) => findReference(key, sources) === undefined);
};

/** With ids in place of names. `issues` says what is wrong with it; then it is left as it was. */
export const readValue = (value: Value, sources: Sources, path: string): { value: Value; issues: Issue[] } => {
  const wrong = (message: string, expected?: string): { value: Value; issues: Issue[] } => ({
    value,
    issues: [{ path, message, ...(expected === undefined ? {} : { expected }) }],
  });
  try {
    if (isTemplateValue(value) && value.template.length > longestTemplate)
      return wrong(`A template has at most ${longestTemplate} characters`);
    const tree = treeOf(value);
    if (tree === undefined) return { value, issues: [] };
    const unknown = unknownIn(value, sources);
    if (unknown !== undefined) {
      const { message, expected } = unknownReference(unknown, sources);
      return wrong(message, expected);
    }
    const { term } = compileTree(tree, sources);
    // Too large ones are found here, and not when it runs.
    emit(
      term,
      sourceOf(new Map(), () => null, term),
    );
    return {
      value: isFormulaValue(value)
        ? { formula: storedFormula(value.formula, sources) }
        : {
            template: templateText(
              partsOfTemplate((value as { template: string }).template).map((part) => storedPart(part, sources)),
            ),
          },
      issues: [],
    };
  } catch (error) {
    if (error instanceof FormulaError) return wrong(error.message, error.expected);
    throw error;
  }
};

type Output = Record<string, unknown>;
/** What came of the sources, by name. */
export type Outputs = ReadonlyMap<string, Output>;

/** Undefined where there is nothing. Only own keys: a body may name any. */
const at = (output: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as Output)[key] : undefined,
    output,
  );

const titleOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? ((item as Output)['title'] ?? (item as Output)['name'] ?? null) : item;

const asText = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === 'string'
      ? value
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

/** As formulas take it: people, records and files by their names. */
const literal = (value: unknown, { type: { kind, list }, field }: Reference): Sql => {
  if (list) {
    const items = (Array.isArray(value) ? value : []).map((item) => (field === undefined ? item : titleOf(item)));
    return items.length === 0 ? sql`null::jsonb` : sql`${JSON.stringify(items)}::jsonb`;
  }
  const plain = field === undefined ? (value ?? null) : titleOf(value ?? null);
  if (kind === 'number') return sql`${typeof plain === 'number' ? plain : null}::double precision`;
  if (kind === 'boolean') return sql`${plain === true}::boolean`;
  if (kind === 'datetime') return sql`${asText(plain)}::timestamptz`;
  return sql`${asText(plain)}::text`;
};

const sourceOf = (
  references: ReadonlyMap<string, Reference>,
  valueOf: (reference: Reference) => unknown,
  _term: Term,
  recordId: string | null = null,
) => {
  const cellOf = (key: string): Sql => {
    const reference = references.get(key);
    return reference === undefined ? sql`null` : literal(valueOf(reference), reference);
  };
  return {
    field: cellOf,
    fieldText(key: string): Sql | undefined {
      const { field } = references.get(key) ?? {};
      if (field === undefined) return undefined;
      const cells = cellTypeOf(field);
      return cells.kind === 'date' && !cells.isMultiple ? cells.text(cellOf(key), field) : undefined;
    },
    timeZone: 'UTC',
    now: sql`now()`,
    record: {
      id: sql`${recordId}::text`,
      autoNumber: sql`null::bigint`,
      createdTime: sql`null::timestamptz`,
      lastModifiedTime: sql`null::timestamptz`,
    },
  };
};

/** Values in the order in which they are given. */
export const makeValues = async (
  db: Queryable,
  values: readonly Value[],
  sources: Sources,
  outputs: Outputs,
): Promise<unknown[]> => {
  const valueOf = ({ source, path }: Reference): unknown => at(outputs.get(source), path);
  const recordId = asText(at(outputs.get('trigger'), ['record', 'id']));
  const expressions: Sql[] = [];
  const made = values.map((value): { is: unknown } | { column: number; isTime: boolean } => {
    const tree = treeOf(value);
    if (tree === undefined) return { is: value };
    const { term, references, only } = compileTree(tree, sources);
    if (only !== undefined) return { is: valueOf(only) ?? null };
    expressions.push(sql`to_jsonb(${emit(term, sourceOf(references, valueOf, term, recordId))})`);
    return { column: expressions.length - 1, isTime: term.type.kind === 'datetime' && !term.type.list };
  });
  if (expressions.length === 0) return made.map((one) => ('is' in one ? one.is : null));
  const { values: found } = await one<{ values: unknown[] }>(
    db,
    sql`select to_jsonb(array[${sql.join(expressions)}]) as values`,
  );
  return made.map((result) => {
    if ('is' in result) return result.is;
    const value = found[result.column] ?? null;
    return result.isTime && typeof value === 'string' ? new Date(value).toISOString() : value;
  });
};
