// What a change of a field reaches, in all tables that links join: whatever needs it, directly or through others, and with each of these what else it needs.
import type { FieldGraph } from '@rowhouse/contract/field-plan.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { isLink } from '../cell/linked.sql.ts';
import { downstream } from '../../catalog/dependency.ts';
import { dependenciesIn, type FieldNode, needsIn, type NodeTable } from '../computed/dependencies.ts';

export type Found = Pick<FieldNode, 'table' | 'field'>;

/** The tables that links join, with a field as it would be. */
export const tablesWith = (table: RelatedTable, field: FieldSchema): NodeTable[] =>
  [...table.related.values()].map((one) => {
    if (one.id !== table.id) return one;
    const { id, name, fields } = one;
    return {
      id,
      name,
      fields: one.byId.has(field.id)
        ? fields.map((known) => (known.id === field.id ? field : known))
        : [...fields, field],
    };
  });

const isKept = (field: FieldSchema): boolean =>
  isLink(field) ? field.computed == null : field.computed?.state === 'settled' || field.computed?.state === 'settling';

/** Fields with a column that has to be filled again when the field changes. */
export const storedDependents = (tables: readonly NodeTable[], fieldId: string): Found[] => {
  const reached = downstream(needsIn(dependenciesIn(tables)), [fieldId]);
  return tables.flatMap((table) =>
    table.fields
      .filter((field) => field.id !== fieldId && reached.has(field.id) && isKept(field))
      .map((field) => ({ table, field })),
  );
};

/** Links that show this field as the title of their records. */
export const titledBy = (tables: readonly NodeTable[], fieldId: string): FieldSchema[] =>
  tables.flatMap(({ fields }) => fields.filter((field) => isLink(field) && field.options.lookupFieldId === fieldId));

const labelOf = ({ type, isLookup }: FieldSchema): string => (isLookup === true ? 'lookup' : type);

/** `isSeen`: fields that the caller does not see are not in the picture. */
export const pictureOf = (
  tables: readonly NodeTable[],
  fieldId: string,
  isSeen: (id: string) => boolean,
): FieldGraph => {
  const fields = dependenciesIn(tables);
  const needsOf = (id: string): string[] => (fields.get(id)?.needs ?? []).filter((need) => fields.has(need));
  const own = fields.get(fieldId) as FieldNode;
  // What is looked up comes through a link, which has a place in the picture when it shows the same field.
  const link = own.field.lookupOptions?.linkFieldId;
  const targets = [
    ...downstream(needsIn(fields), [fieldId]),
    ...(link !== undefined && fields.has(link) && needsOf(link).some((id) => own.needs.includes(id)) ? [link] : []),
  ];
  const edges = targets
    .flatMap((target) =>
      needsOf(target).map((source) => ({ source, target, label: labelOf((fields.get(target) as Found).field) })),
    )
    .filter(({ source, target }) => isSeen(source) && isSeen(target));
  const shown = new Set([fieldId, ...edges.flatMap(({ source, target }) => [source, target])]);
  const nodes = [...fields.values()]
    .filter(({ field }) => shown.has(field.id))
    .map(({ table, field }) => ({
      id: field.id,
      label: field.name,
      comboId: table.id,
      fieldType: field.type,
      ...(field.isLookup === true ? { isLookup: true } : {}),
      isSelected: field.id === fieldId,
    }));
  return {
    nodes,
    edges,
    combos: tables
      .filter(({ id }) => nodes.some(({ comboId }) => comboId === id))
      .map(({ id, name }) => ({ id, label: name })),
  };
};
