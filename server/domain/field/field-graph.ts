// What a change of a field reaches: the formulas that need it, directly or through others, and with each of them what else it needs.
import type { FieldGraph } from '@rowhouse/contract/field.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import { expressionText, isFormula } from '../cell/formula.sql.ts';
import { keysOf } from '../formula/references.ts';

/** Ids of the fields that each formula names, of those that there are. */
const needsOf = (fields: readonly FieldSchema[]): Map<string, string[]> => {
  const ids = new Set(fields.map(({ id }) => id));
  return new Map(fields.filter(isFormula).map((field) => [field.id, keysOf(expressionText(field)).filter((id) => ids.has(id))]));
};

const downstream = (needs: ReadonlyMap<string, readonly string[]>, fieldId: string): Set<string> => {
  const reached = new Set([fieldId]);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const [id, named] of needs) if (named.some((one) => reached.has(one))) reached.add(id);
  }
  return reached;
};

/** Formulas with a column that has to be filled again when the field changes. */
export const storedDependents = (fields: readonly FieldSchema[], fieldId: string): FieldSchema[] => {
  const reached = downstream(needsOf(fields), fieldId);
  return fields.filter(({ id, computed }) => id !== fieldId && reached.has(id) && (computed?.state === 'settled' || computed?.state === 'settling'));
};

/** `fields`: all of the table as they would be; `isSeen`: fields that the caller does not see are not in the picture. */
export const graphOf = ({ id: tableId, name }: Pick<TableSchema, 'id' | 'name'>, fields: readonly FieldSchema[], fieldId: string, isSeen: (id: string) => boolean): FieldGraph => {
  const needs = needsOf(fields);
  const types = new Map(fields.map(({ id, type }) => [id, type]));
  const edges = [...downstream(needs, fieldId)].flatMap((target) => (needs.get(target) ?? []).map((source) => ({ source, target, label: types.get(target) as string }))).filter(({ source, target }) => isSeen(source) && isSeen(target));
  const shown = new Set([fieldId, ...edges.flatMap(({ source, target }) => [source, target])]);
  return {
    nodes: fields.filter(({ id }) => shown.has(id)).map((field) => ({ id: field.id, label: field.name, comboId: tableId, fieldType: field.type, isSelected: field.id === fieldId })),
    edges,
    combos: [{ id: tableId, label: name }],
  };
};
