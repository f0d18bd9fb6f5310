// Tables that links join. What a write reaches lies in them, so the snapshot of a table holds their fields too; a change of fields moves
// on the versions of all of them, and the version of the own table covers the whole snapshot. See docs/adr/0038-links.md.
import { upstream } from './dependency.ts';
import type { FieldSchema, RelatedTable } from './table.ts';

/** Ids of the tables that links join to one, directly or through others, and itself; none when nothing does. */
export const relatedTo = (tableId: string, bridges: readonly (readonly [from: string, to: string])[]): string[] => {
  const neighbours = new Map<string, string[]>();
  for (const [from, to] of bridges)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const known = neighbours.get(one);
      if (known === undefined) neighbours.set(one, [other]);
      else known.push(other);
    }
  return neighbours.has(tableId) ? [...upstream(neighbours, [tableId])].toSorted() : [];
};

type Named = Pick<RelatedTable, 'id' | 'dbTableName'>;

/** A link whose table is in the trash, or gone, is broken; others say by its present name where their keys are. */
export const withLinkStates = (
  baseId: string,
  own: Named,
  fields: readonly FieldSchema[],
  tables: ReadonlyMap<string, Named>,
): FieldSchema[] =>
  fields.map((field) => {
    const { foreignTableId, relationship, selfKeyName, foreignKeyName } = field.options;
    if (foreignTableId === undefined || relationship === undefined || field.isLookup === true) return field;
    const foreign = tables.get(String(foreignTableId));
    if (foreign === undefined)
      return {
        ...field,
        computed: {
          cellValueType: 'string',
          isMultiple: relationship === 'oneMany' || relationship === 'manyMany',
          state: 'broken',
        },
      };
    const host = selfKeyName === '__id' ? own : foreignKeyName === '__id' ? foreign : undefined;
    return {
      ...field,
      computed: field.computed?.state === 'settling' ? field.computed : null,
      options:
        host === undefined ? field.options : { ...field.options, fkHostTableName: `${baseId}.${host.dbTableName}` },
    };
  });
