// Tables that links join. What a write reaches lies in them, so the snapshot of a table holds their fields too; a change of fields moves
// on the versions of all of them, and the version of the own table covers the whole snapshot. See docs/adr/0038-links.md.
import type { FieldSchema, RelatedTable } from './table.ts';

/** Ids of the tables that links join to one, directly or through others, and itself; none when nothing does. */
export const relatedTo = (tableId: string, bridges: readonly (readonly [from: string, to: string])[]): string[] => {
  if (!bridges.some(([from, to]) => from === tableId || to === tableId)) return [];
  const reached = new Set([tableId]);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const [from, to] of bridges) {
      if (reached.has(from)) reached.add(to);
      else if (reached.has(to)) reached.add(from);
    }
  }
  return [...reached].toSorted();
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
