// Where the keys of a link are, and what follows from them: which records a record is linked to, and the cell that shows them. Keys are a column
// beside the records of the side that has one link at most, or a table of pairs. See docs/adr/0038-links.md.
import { type FieldSchema, homeOf, type RelatedTable } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { cellTypeOf } from './registry.ts';
import { longestTitle } from './size.sql.ts';
import { leadsToSeveral } from './type/link.ts';

export const isLink = ({ type, isLookup }: { type: string; isLookup?: boolean | undefined }): boolean =>
  type === 'link' && isLookup !== true;

/** A link seen from the side of one of its fields. */
export interface Linked {
  field: FieldSchema;
  own: RelatedTable;
  foreign: RelatedTable;
  /** Of the foreign table: gives the titles. */
  title: FieldSchema;
  isMultiple: boolean;
  /** The field of the other side, when it has one. */
  symmetric: FieldSchema | undefined;
  /** No two records of this side may be linked to the same one. */
  isExclusive: boolean;
  /** Which rows hold the keys: those of this side, those of the other, or pairs of their own. */
  place: 'own' | 'foreign' | 'pairs';
  /** Of the rows that hold the keys. */
  host: Sql;
  hostName: string;
  selfKey: string;
  foreignKey: string;
}

/** The place of a linked record in the list of this field. */
export const orderColumn = (fieldId: string): string => `__at_${fieldId}`;

const pairsName = /^junction_[0-9A-Za-z_]+$/;
const keyName = /^__(id|fk_[0-9A-Za-z_]+)$/;

/** Options of a restored base may say anything. */
export const saysWhereKeysAre = (
  { selfKeyName, foreignKeyName, fkHostTableName }: Record<string, unknown>,
  baseId: string,
): boolean => {
  if (!keyName.test(String(selfKeyName)) || !keyName.test(String(foreignKeyName))) return false;
  return (
    selfKeyName === '__id' ||
    foreignKeyName === '__id' ||
    pairsName.test(String(fkHostTableName).slice(baseId.length + 1))
  );
};

/** Undefined when it leads nowhere: then it is broken. */
export const linkedBy = (field: FieldSchema, own = homeOf(field)): Linked | undefined => {
  const {
    foreignTableId,
    lookupFieldId,
    symmetricFieldId,
    relationship,
    fkHostTableName,
    selfKeyName,
    foreignKeyName,
  } = field.options as Record<string, string | undefined>;
  const foreign = own?.related.get(foreignTableId ?? '');
  if (own === undefined || foreign === undefined) return undefined;
  if (!saysWhereKeysAre(field.options, own.baseId))
    throw new Error(`the link ${field.id} does not say where its keys are`);
  const place = selfKeyName === '__id' ? 'own' : foreignKeyName === '__id' ? 'foreign' : 'pairs';
  const hostName =
    place === 'own'
      ? own.dbTableName
      : place === 'foreign'
        ? foreign.dbTableName
        : String(fkHostTableName).slice(own.baseId.length + 1);
  const symmetric = foreign.byId.get(symmetricFieldId ?? '');
  return {
    field,
    own,
    foreign,
    title: foreign.byId.get(lookupFieldId ?? '') ?? foreign.primary,
    isMultiple: leadsToSeveral(field.options),
    symmetric: symmetric !== undefined && isLink(symmetric) ? symmetric : undefined,
    isExclusive: relationship === 'oneMany' || relationship === 'oneOne',
    place,
    host: sql.id(own.baseId, hostName),
    hostName,
    selfKey: selfKeyName as string,
    foreignKey: foreignKeyName as string,
  };
};

export const recordsOf = ({ baseId, dbTableName }: Pick<RelatedTable, 'baseId' | 'dbTableName'>): Sql =>
  sql.id(baseId, dbTableName);

/** Its keys may lead to records that were deleted, until a job has been at them. */
export const mayDangle = ({ field, symmetric }: Linked): boolean =>
  [field, symmetric].some((one) => one?.computed?.state === 'settling');

/** The records of this side that are linked to some of the other; `ids` is a set in brackets. As a select of `id`. */
export const linkingTo = ({ host, selfKey, foreignKey }: Linked, ids: Sql): Sql =>
  sql`select ${sql.id('k', selfKey)} as id from ${host} k where ${sql.id('k', foreignKey)} in ${ids} and ${sql.id('k', selfKey)} is not null`;

/** The records of the other side that some of this one are linked to. */
export const linkedFrom = ({ host, selfKey, foreignKey }: Linked, ids: Sql): Sql =>
  sql`select ${sql.id('k', foreignKey)} as id from ${host} k where ${sql.id('k', selfKey)} in ${ids} and ${sql.id('k', foreignKey)} is not null`;

/** The linked records of a record, whose columns `row` gives, and their order. They are called `alias`, which the row itself must not be. */
export const linkedRows = (
  { field, foreign, isMultiple, place, host, selfKey, foreignKey }: Linked,
  row: (column: string) => Sql,
  alias: string,
): { from: Sql; where: Sql; order: Sql } => {
  const records = sql`${recordsOf(foreign)} ${sql.id(alias)}`;
  const number = sql.id(alias, '__auto_number');
  if (place === 'own')
    return { from: records, where: sql`${sql.id(alias, '__id')} = ${row(foreignKey)}`, order: number };
  const at = (keys: string): Sql => (isMultiple ? sql`${sql.id(keys, orderColumn(field.id))}, ${number}` : number);
  if (place === 'foreign')
    return { from: records, where: sql`${sql.id(alias, selfKey)} = ${row('__id')}`, order: at(alias) };
  const keys = `${alias}k`;
  return {
    from: sql`${host} ${sql.id(keys)} join ${records} on ${sql.id(alias, '__id')} = ${sql.id(keys, foreignKey)}`,
    where: sql`${sql.id(keys, selfKey)} = ${row('__id')}`,
    order: at(keys),
  };
};

/** A key beside the record leads to one; of others the first counts. */
export const firstOf = ({ place }: Linked, order: Sql): Sql =>
  place === 'own' ? sql.empty : sql` order by ${order} limit 1`;

/** The same link of a record that is about to be written, whose keys are not there yet: `ids` are those that it will lead to, in their order. Where the key is beside the record the row has it. */
export const linkedTo = (linked: Linked, recordId: Sql, ids: Sql): Linked => {
  if (linked.place === 'own') return linked;
  const order = linked.isMultiple ? sql`, k.at as ${sql.id(orderColumn(linked.field.id))}` : sql.empty;
  return {
    ...linked,
    place: 'pairs',
    selfKey: '__own',
    foreignKey: '__foreign',
    host: sql`(select ${recordId} as __own, k.id as __foreign${order} from unnest(${ids}) with ordinality k(id, at))`,
  };
};

/** The cell of a link. `title` is the SQL of the cell that gives the title of the row `alias`, `joined` what it needs beside that. */
export const linkCell = (linked: Linked, row: (column: string) => Sql, title: Sql, joined: Sql, alias: string): Sql => {
  const { from, where, order } = linkedRows(linked, row, alias);
  const item = sql`jsonb_strip_nulls(jsonb_build_object('id', ${sql.id(alias, '__id')}, 'title', left(${cellTypeOf(linked.title).text(title, linked.title)}, ${sql.integer(longestTitle)})))`;
  return linked.isMultiple
    ? sql`(select jsonb_agg(${item} order by ${order}) from ${from} ${joined} where ${where})`
    : sql`(select ${item} from ${from} ${joined} where ${where}${firstOf(linked, order)})`;
};

/** The rows that a row leads to: called so that what they lead to in turn has another name. */
export const beyond = (alias: string): string => `${alias}s`;

/** The row that it began with. Undoes `beyond`, as often as it was applied. */
export const nearOf = (alias: string): string => alias.replace(/s+$/, '');
