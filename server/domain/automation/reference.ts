// What formulas and templates of a step may name: cells of the record that started the automation, and what came of steps before it. Names become ids when they are
// stored, so that a renamed field changes nothing.
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { typeOfCells } from '../cell/formula.sql.ts';
import { cellTypeOf } from '../cell/types.ts';
import { nearestOf } from '../formula/nearest.ts';
import { fieldFinder } from '../formula/references.ts';
import { listOf, single, type Type } from '../formula/term.ts';

/** One that can be named. */
export interface Source {
  /** Of which it has a record. */
  fields?: readonly FieldSchema[];
  /** It knows what the record was before. */
  hasBefore?: boolean;
  /** It knows a body of any form. */
  hasBody?: boolean;
  keys: Readonly<Record<string, Type>>;
}

export type Sources = ReadonlyMap<string, Source>;

const recordKeys = { recordId: single('text'), recordName: single('text'), recordUrl: single('text') };

export const recordSource = (table: Pick<TableSchema, 'fields'>): Source => ({
  fields: table.fields,
  keys: recordKeys,
});
export const foundSource = (): Source => ({ keys: { count: single('number'), recordIds: listOf('text') } });
export const itemSource = (table: Pick<TableSchema, 'fields'>): Source => ({
  fields: table.fields,
  keys: { ...recordKeys, index: single('number') },
});
export const answerSource = (): Source => ({ hasBody: true, keys: { status: single('number') } });
export const triggerSource = (table: Pick<TableSchema, 'fields'> | undefined, type: string): Source => ({
  ...(table === undefined ? {} : { fields: table.fields, hasBefore: true }),
  ...(type === 'incomingCall' ? { hasBody: true } : {}),
  keys: {
    ...(table === undefined ? {} : recordKeys),
    ...(type === 'commentAdded' ? { comment: single('text') } : {}),
    time: single('datetime'),
    by: single('text'),
    byId: single('text'),
  },
});

export interface Reference {
  /** As it is stored: `trigger.fld…`. */
  key: string;
  source: string;
  type: Type;
  /** Of a cell. */
  field?: FieldSchema;
  /** Where it stands in the output of its source. */
  path: readonly string[];
}

const cell = (source: string, field: FieldSchema, isBefore: boolean): Reference => ({
  key: `${source}.${isBefore ? 'before.' : ''}${field.id}`,
  source,
  type: typeOfCells(cellTypeOf(field)),
  field,
  path: isBefore ? ['before', field.id] : ['record', 'fields', field.id],
});

const keyPaths: Record<string, readonly string[]> = {
  recordId: ['record', 'id'],
  recordName: ['record', 'name'],
  recordUrl: ['record', 'url'],
};

/** Undefined: there is nothing of the name. */
export const findReference = (key: string, sources: Sources): Reference | undefined => {
  const text = key.trim();
  const dot = text.indexOf('.');
  const name = dot === -1 ? text : text.slice(0, dot).trim();
  const rest = dot === -1 ? '' : text.slice(dot + 1).trim();
  const source = sources.get(name);
  if (source === undefined) return undefined;
  const type = source.keys[rest];
  if (type !== undefined) return { key: `${name}.${rest}`, source: name, type, path: keyPaths[rest] ?? [rest] };
  if (source.hasBody === true && (rest === 'body' || rest.startsWith('body.')))
    return { key: `${name}.${rest}`, source: name, type: single('text'), path: rest.split('.') };
  if (source.fields === undefined) return undefined;
  const find = fieldFinder(source.fields);
  const former = source.hasBefore === true && rest.startsWith('before.') ? find(rest.slice(7)) : undefined;
  const field = former ?? find(rest);
  return field === undefined ? undefined : cell(name, field, former !== undefined);
};

/** Everything that can be named, as people would write it. */
export const namesIn = (sources: Sources): string[] =>
  [...sources].flatMap(([name, { fields = [], keys, hasBody }]) => [
    ...fields.map((field) => `${name}.${field.name}`),
    ...Object.keys(keys).map((key) => `${name}.${key}`),
    ...(hasBody === true ? [`${name}.body`] : []),
  ]);

export const unknownReference = (key: string, sources: Sources): { message: string; expected: string } => {
  const near = nearestOf(key.trim(), namesIn(sources));
  return {
    message: `There is no {${key}} here${near === undefined ? '' : `. Did you mean {${near}}?`}`,
    expected: `{trigger.…} or {step.…} of a step before: ${[...sources.keys()].join(', ')}`,
  };
};
