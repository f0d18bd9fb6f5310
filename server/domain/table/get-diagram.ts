// GET /base/:baseId/erd
import type { getBaseDiagram as endpoint } from '@rowhouse/contract/diagram.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { FieldTypeName, Relationship } from '@rowhouse/contract/field.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { isLink } from '../cell/linked.sql.ts';
import { seenTables } from './seen-tables.ts';
import { selectTables } from './table.sql.ts';

type Diagram = ResponseOf<typeof endpoint>;
type Edge = Diagram['edges'][number];

/** What a link or a looked up field says of its other end. */
interface Joining {
  lookupFieldId?: string;
  symmetricFieldId?: string;
  relationship?: Relationship;
  isOneWay?: boolean;
}

const typeOf = ({ type }: FieldSchema): FieldTypeName => type as FieldTypeName;

export const getDiagram = async (context: Context, baseId: string): Promise<Diagram> => {
  const tables = await seenTables(context, await selectTables(context.db, baseId));
  const nodes = await Promise.all(
    tables.map(async ({ id, name, icon }) => {
      const sight = sightOf(context, await presentTable(context, baseId, id));
      return { id, name, icon, fields: sight.fields };
    }),
  );
  const ends = new Map<string, Edge['source']>(
    nodes.flatMap(({ id, name, fields }) =>
      fields.map((field) => [field.id, { tableId: id, tableName: name, fieldId: field.id, fieldName: field.name }]),
    ),
  );
  const drawn = new Set<string>();
  const linkEdge = (field: FieldSchema, own: Edge['source']): Edge[] => {
    const { lookupFieldId = '', symmetricFieldId, relationship, isOneWay } = field.options as Joining;
    // A link with a field on both sides is one edge.
    if (symmetricFieldId !== undefined && drawn.has(symmetricFieldId)) return [];
    drawn.add(field.id);
    const target = ends.get(symmetricFieldId ?? lookupFieldId);
    if (target === undefined) return [];
    return [
      {
        source: own,
        target,
        type: typeOf(field),
        ...(relationship === undefined ? {} : { relationship }),
        ...(isOneWay === undefined ? {} : { isOneWay }),
      },
    ];
  };
  // What is not seen has no end, and so no edge.
  const edgesOf = (field: FieldSchema): Edge[] => {
    const own = ends.get(field.id) as Edge['source'];
    if (isLink(field)) return linkEdge(field, own);
    const source = ends.get((field.lookupOptions as Joining | null | undefined)?.lookupFieldId ?? '');
    if (source === undefined) return [];
    return [{ source, target: own, type: field.isLookup === true ? 'lookup' : typeOf(field) }];
  };
  return {
    baseId,
    nodes: nodes.map(({ id, name, icon, fields }) => ({
      id,
      name,
      ...(icon === null ? {} : { icon }),
      fields: fields.map(({ id: fieldId, name: fieldName, type, isLookup, isPrimary }) => ({
        id: fieldId,
        name: fieldName,
        type: type as FieldTypeName,
        ...(isLookup === true ? { isLookup } : {}),
        ...(isPrimary ? { isPrimary } : {}),
      })),
    })),
    edges: nodes.flatMap(({ fields }) => fields.flatMap(edgesOf)),
  };
};
