// Cells that a filter finds in another table are computed when they are read: no write of that table says that they are others now. Those who listen to a
// table with such cells are told so, whenever records of the other table change.
import { loadTable, type TableSchema } from '../catalog/table.ts';
import type { Services } from '../context.ts';
import { isConditional } from '../domain/cell/looked-up.sql.ts';
import type { FeedRow } from '../domain/feed/feed.sql.ts';
import { isOfAnotherShape } from '../domain/feed/seen-changes.ts';

/** What a table shows of others. */
interface Shown {
  /** The others. */
  tableIds: ReadonlySet<string>;
  /** Its fields that may have other cells. */
  fieldIds: string[];
}

const nothing: Shown = { tableIds: new Set(), fieldIds: [] };

const shownBy = ({ related, fields }: TableSchema): Shown => {
  const conditional = [...related.values()].flatMap((table) => table.fields.filter(isConditional));
  const fieldIds = fields
    .filter((field) => isConditional(field) || field.computed?.state === 'atRead')
    .map(({ id }) => id);
  return conditional.length === 0 || fieldIds.length === 0
    ? nothing
    : {
        tableIds: new Set(conditional.map(({ lookupOptions }) => lookupOptions?.['foreignTableId'] as string)),
        fieldIds,
      };
};

interface OtherTables {
  /** These tables that are listened to, and the others that they show. */
  of(tableIds: Iterable<string>): Promise<string[]>;
  /** The same for one that is about to be listened to. */
  with(tableId: string): Promise<string[]>;
  /** The rows of a table, and at most one more that says that others changed. */
  rowsFor(tableId: string, rows: readonly FeedRow[]): FeedRow[];
  /** After it was read that the fields of some have changed. */
  forget(rows: readonly FeedRow[]): void;
}

export const createOtherTables = ({ db }: Pick<Services, 'db'>, baseId: string): OtherTables => {
  const known = new Map<string, Shown>();
  const learn = async (tableId: string): Promise<Shown> => {
    const shown = await loadTable(db, baseId, tableId).then(shownBy, (error: unknown) => {
      if (isOfAnotherShape(error)) return nothing;
      throw error;
    });
    known.set(tableId, shown);
    return shown;
  };
  const withOthers = async (tableId: string): Promise<string[]> => [
    tableId,
    // Changes to the list of tables.
    baseId,
    ...(known.get(tableId) ?? (await learn(tableId))).tableIds,
  ];
  return {
    with: withOthers,
    async of(tableIds) {
      const own = new Set(tableIds);
      for (const id of known.keys()) if (!own.has(id)) known.delete(id);
      const all = new Set<string>();
      for (const id of own) for (const one of await withOthers(id)) all.add(one);
      return [...all];
    },
    rowsFor(tableId, rows) {
      const { tableIds, fieldIds } = known.get(tableId) ?? nothing;
      const last =
        tableIds.size === 0
          ? undefined
          : rows.findLast(({ tableId: id, kind }) => tableIds.has(id) && kind !== 'schema' && kind !== 'view');
      return rows.flatMap((row) => [
        ...(row.tableId === tableId || row.tableId === baseId ? [row] : []),
        ...(row === last
          ? [
              {
                ...row,
                opId: -row.opId,
                tableId,
                kind: 'computed',
                rowDelta: 0,
                recordCount: 0,
                recordIds: '[]',
                fieldIds,
                cause: row.operationId,
                causes: null,
              },
            ]
          : []),
      ]);
    },
    forget(rows) {
      for (const { kind, tableId } of rows) if (kind === 'schema') known.delete(tableId);
    },
  };
};
