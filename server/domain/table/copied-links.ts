// Links in copies. In the copy of a base they lead to the copies of what they led to, by the same record ids. In the copy of a table they lead where
// they led and are one-way; those within the table stay within the copy.
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Tx } from '../../db/db.ts';
import { isLink, type Linked, linkedBy } from '../cell/linked.sql.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { refill } from '../computed/refill.sql.ts';
import { keysOf } from '../field/link-field.ts';
import { createKeys } from '../field/link-field.sql.ts';
import type { Relationship } from '@rowhouse/contract/field.ts';
import { copyKeys, type CopiedIds } from './copied-links.sql.ts';

export interface OtherIds {
  baseId: string;
  /** Of tables, fields and views. */
  ids: ReadonlyMap<string, string>;
}

const anyId = /(tbl|fld|viw)[0-9A-Za-z]{16}/g;

/** Everything that an option of a link names, by its other id. */
export const withOtherTables = (
  options: Record<string, unknown>,
  { baseId, ids }: OtherIds,
): Record<string, unknown> => {
  const { fkHostTableName, filterByViewId, ...rest } = options;
  const other = (text: string): string => text.replace(anyId, (id) => ids.get(id) ?? id);
  const host = other(String(fkHostTableName)).replace(/^[^.]*/, baseId);
  return {
    ...(JSON.parse(other(JSON.stringify(rest))) as Record<string, unknown>),
    fkHostTableName: host,
    ...(typeof filterByViewId === 'string' ? { filterByViewId: ids.get(filterByViewId) ?? null } : {}),
  };
};

/** The options of a link in the copy of its table; `ids` of fields. */
export const inTableCopy = (
  source: TableSchema,
  field: FieldSchema,
  copyId: string,
  tableId: string,
  ids: ReadonlyMap<string, string>,
): Record<string, unknown> => {
  const { foreignTableId, symmetricFieldId: _symmetric, ...rest } = field.options as Record<string, string | undefined>;
  if (foreignTableId === source.id)
    return withOtherTables(field.options, { baseId: source.baseId, ids: new Map([...ids, [source.id, tableId]]) });
  const { fkHostTableName: _host, selfKeyName: _self, foreignKeyName: _foreign, ...kept } = rest;
  return {
    ...kept,
    foreignTableId,
    isOneWay: true,
    ...keysOf(
      source.baseId,
      { id: copyId, dbTableName: '' },
      { dbTableName: '' },
      rest.relationship as Relationship,
      undefined,
    ),
  };
};

/** Each storage of keys once: from the side that holds them, or from either side of pairs. */
const storages = (
  fields: readonly (readonly [FieldSchema, FieldSchema])[],
  from: TableSchema,
  to: TableSchema,
  seen: Set<string>,
): { from: Linked; to: Linked }[] =>
  fields.flatMap(([field, copied]) => {
    const [source, target] = isLink(field)
      ? [
          linkedBy(field, from.related.get(from.id)),
          linkedBy(to.byId.get(copied.id) as FieldSchema, to.related.get(to.id)),
        ]
      : [];
    if (
      source === undefined ||
      target === undefined ||
      target.place === 'foreign' ||
      seen.has(target.hostName + target.foreignKey)
    )
      return [];
    seen.add(target.hostName + target.foreignKey);
    // Of pairs both sides are the same.
    if (target.place === 'pairs') seen.add(target.hostName + target.selfKey);
    return [{ from: source, to: target }];
  });

/** After the records are there. `ids`: which record is the copy of which; null when they have the same ids. */
export const copyLinks = async (
  tx: Tx,
  from: TableSchema,
  to: TableSchema,
  fields: readonly (readonly [FieldSchema, FieldSchema])[],
  ids: CopiedIds | null,
  withRecords: boolean,
  seen: Set<string>,
): Promise<void> => {
  for (const { from: source, to: target } of storages(fields, from, to, seen)) {
    await createKeys(tx, target);
    if (withRecords) await copyKeys(tx, source, target, ids);
  }
};

/** Once all keys are there. Link cells are copied where the records have the same ids. */
export const fillCopies = async (tx: Tx, to: TableSchema, ids: CopiedIds | null): Promise<void> => {
  const unfilled = to.fields.filter((field) => isLookedUp(field) || (ids !== null && isLink(field)));
  await refill(tx, to, { changed: new Set(), unfilled: new Set(unfilled.map(({ id }) => id)) });
};
