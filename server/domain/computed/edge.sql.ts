// Writes the keys of links. Both ends of every link that comes or goes are locked by then.
import { arrayLiteral } from '../../db/array.ts';
import { byTheCoordinator } from '../../db/cluster-form.ts';
import { many, one, type Queryable } from '../../db/db.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type Linked, linkedFrom, linkingTo, mayDangle, orderColumn, recordsOf } from '../cell/linked.sql.ts';
import { leadsToSeveral } from '../cell/type/link.ts';

/** A link that is to be: from a record of this side to one of the other, at a place in its list. */
export interface Edge {
  own: string;
  foreign: string;
  at: number;
}

const ids = (values: readonly string[]): Sql => sql`(select unnest(${arrayLiteral(values)}::text[]))`;

/** Behind `and` or `where`: the record of that side is there. Nothing where it is in any case. */
const isThere = (linked: Linked, side: 'own' | 'foreign', id: Sql, behind: Sql): Sql =>
  mayDangle(linked)
    ? sql`${behind}exists (select 1 from ${recordsOf(linked[side])} r where r.__id = ${id})`
    : sql.empty;

export const selectEnds = async (tx: Queryable, linked: Linked, own: readonly string[]): Promise<string[]> =>
  (
    await many<{ id: string }>(
      tx,
      sql`select distinct id from (${linkedFrom(linked, ids(own))}) e${isThere(linked, 'foreign', sql`e.id`, sql` where `)}`,
    )
  ).map(({ id }) => id);

/** Records of the side of the field that are linked to some of the other. */
export const selectLinking = async (tx: Queryable, linked: Linked, foreign: readonly string[]): Promise<string[]> =>
  (
    await many<{ id: string }>(
      tx,
      sql`select distinct id from (${linkingTo(linked, ids(foreign))}) e${isThere(linked, 'own', sql`e.id`, sql` where `)}`,
    )
  ).map(({ id }) => id);

/** Those of the wanted records that others than `own` are linked to, and who they are. */
export const selectTaken = (
  tx: Queryable,
  linked: Linked,
  own: readonly string[],
  foreign: readonly string[],
): Promise<{ foreign: string; by: string }[]> =>
  many(
    tx,
    sql`select ${sql.id('k', linked.foreignKey)} as foreign, ${sql.id('k', linked.selfKey)} as by from ${linked.host} k
        where ${sql.id('k', linked.foreignKey)} in ${ids(foreign)} and ${sql.id('k', linked.selfKey)} is not null and ${sql.id('k', linked.selfKey)} not in ${ids(own)}${isThere(linked, 'own', sql.id('k', linked.selfKey), sql` and `)}`,
  );

/** The places in the lists of the other side; undefined where that has none. */
export const otherPlaces = ({ symmetric }: Linked): string | undefined =>
  symmetric === undefined || !leadsToSeveral(symmetric.options) ? undefined : orderColumn(symmetric.id);

/** The last place in a list. */
export const lastPlace = ({ host, foreignKey }: Linked, place: string, id: Sql): Sql =>
  sql`(select coalesce(max(${sql.id('x', place)}), 0) from ${host} x where ${sql.id('x', foreignKey)} = ${id})`;

/** The last place in each of these lists, as `last` of `l`: looked up once for each of them, since a list may have very many, and very many may join it at once. */
const lastPlaces = (linked: Linked, place: string, wanted: Sql): Sql =>
  sql`left join (select d.foreign_id, ${lastPlace(linked, place, sql`d.foreign_id`)} as last
        from (select distinct w.foreign_id from ${wanted} w(own_id, foreign_id, at)) d) l on l.foreign_id = w.foreign_id`;

const rowsOf = (edges: readonly Edge[]): Sql =>
  sql`unnest(${arrayLiteral(edges.map((edge) => edge.own))}::text[], ${arrayLiteral(edges.map((edge) => edge.foreign))}::text[], ${arrayLiteral(edges.map(({ at }) => at))}::int[])`;

const insertPairs = async (tx: Queryable, linked: Linked, edges: readonly Edge[]): Promise<void> => {
  const { field, host, selfKey, foreignKey, isMultiple } = linked;
  const [self, foreign, wanted] = [sql.id(selfKey), sql.id(foreignKey), rowsOf(edges)];
  const ownOrder = isMultiple ? sql.id(orderColumn(field.id)) : null;
  const other = otherPlaces(linked);
  const columns = [
    self,
    foreign,
    ...(ownOrder === null ? [] : [ownOrder]),
    ...(other === undefined ? [] : [sql.id(other)]),
  ];
  const values = [
    sql`w.own_id`,
    sql`w.foreign_id`,
    ...(ownOrder === null ? [] : [sql`w.at`]),
    ...(other === undefined ? [] : [sql`l.last + row_number() over ()`]),
  ];
  await tx.query(
    sql`insert into ${host} (${sql.join(columns)}) select ${sql.join(values)} from ${wanted} w(own_id, foreign_id, at) ${other === undefined ? sql.empty : sql`${lastPlaces(linked, other, wanted)} where ${byTheCoordinator}`}
        on conflict (${self}, ${foreign}) do ${ownOrder === null ? sql`nothing` : sql`update set ${ownOrder} = excluded.${ownOrder}`}`,
  );
};

/** These beside those that there are; a record that belongs to another one by now stays there, unless keys may lead to nobody and do. Not for links to one record, whose keys are beside the own ones. */
export const addEdges = async (
  tx: Queryable,
  linked: Linked,
  edges: readonly Edge[],
  leadToNobody = mayDangle(linked),
): Promise<void> => {
  const { field, host, place, selfKey } = linked;
  if (place === 'own') throw new Error('a link to one record is written as a whole');
  if (place === 'pairs') return insertPairs(tx, linked, edges);
  const self = sql`p.${sql.id(selfKey)}`;
  const isFree = leadToNobody
    ? sql`not exists (select 1 from ${recordsOf(linked.own)} r where r.__id = ${self})`
    : sql`${self} is null`;
  await tx.query(
    sql`update ${host} p set ${sql.id(selfKey)} = w.own_id, ${sql.id(orderColumn(field.id))} = w.at from ${rowsOf(edges)} w(own_id, foreign_id, at) where p.__id = w.foreign_id and ${isFree}`,
  );
};

/** Links of records that are new and have none; keys beside them came with them. */
export const writeNewEdges = async (tx: Queryable, linked: Linked, edges: readonly Edge[]): Promise<void> => {
  const { field, host, place, selfKey, isMultiple } = linked;
  if (place === 'own' || edges.length === 0) return;
  if (place === 'pairs') return insertPairs(tx, linked, edges);
  const order = isMultiple ? sql`, ${sql.id(orderColumn(field.id))} = w.at` : sql.empty;
  await tx.query(
    sql`update ${host} p set ${sql.id(selfKey)} = w.own_id${order} from ${rowsOf(edges)} w(own_id, foreign_id, at) where p.__id = w.foreign_id`,
  );
};

/** The records `own` are linked to these and to no others. */
export const writeEdges = async (
  tx: Queryable,
  linked: Linked,
  own: readonly string[],
  edges: readonly Edge[],
): Promise<void> => {
  const { field, host, place, selfKey, foreignKey, isMultiple } = linked;
  const wanted = rowsOf(edges);
  const [self, foreign] = [sql.id(selfKey), sql.id(foreignKey)];
  const ownOrder = isMultiple ? sql.id(orderColumn(field.id)) : null;
  if (place === 'own') {
    const other = otherPlaces(linked);
    const order = other === undefined ? sql.empty : sql`, ${sql.id(other)} = w.place`;
    const placed =
      other === undefined
        ? sql.empty
        : sql`, case when w.foreign_id is null then null else l.last + w.at + 1 end as place`;
    await tx.query(
      sql`update ${host} p set ${foreign} = w.foreign_id${order}
          from (select o.id, w.foreign_id, w.at${placed} from ${ids(own)} o(id) left join ${wanted} w(own_id, foreign_id, at) on w.own_id = o.id ${other === undefined ? sql.empty : lastPlaces(linked, other, wanted)}) w
          where p.__id = w.id and p.${foreign} is distinct from w.foreign_id`,
    );
    return;
  }
  if (place === 'foreign') {
    const order = ownOrder === null ? sql.empty : sql`, ${ownOrder} = w.at`;
    await tx.query(
      sql`update ${host} p set ${self} = w.own_id${order}
          from (select f.id, w.own_id, w.at from (select __id as id from ${host} where ${self} in ${ids(own)} union ${ids(edges.map((edge) => edge.foreign))}) f(id)
                left join ${wanted} w(own_id, foreign_id, at) on w.foreign_id = f.id) w
          where p.__id = w.id`,
    );
    return;
  }
  await tx.query(
    sql`delete from ${host} p where p.${self} in ${ids(own)} and not exists (select 1 from ${wanted} w(own_id, foreign_id, at) where w.own_id = p.${self} and w.foreign_id = p.${foreign})`,
  );
  if (edges.length > 0) await insertPairs(tx, linked, edges);
};

/** The keys beside restored records of a link that is out of sight: with its table, or itself, in the trash. Whether they still lead to somebody is looked at when it comes back. */
export const restoreHiddenKeys = async (
  tx: Queryable,
  table: Pick<RelatedTable, 'baseId' | 'dbTableName'>,
  { options: { foreignKeyName } }: FieldSchema,
  edges: readonly Pick<Edge, 'own' | 'foreign'>[],
): Promise<void> => {
  if (edges.length === 0) return;
  await tx.query(
    sql`update ${recordsOf(table)} p set ${sql.id(String(foreignKeyName))} = w.foreign_id
        from unnest(${arrayLiteral(edges.map(({ own }) => own))}::text[], ${arrayLiteral(edges.map(({ foreign }) => foreign))}::text[]) w(own_id, foreign_id) where p.__id = w.own_id`,
  );
};

/** Deleted records are linked to nothing, and nothing to them. Keys beside the records go with them. */
export const dropEdges = async (
  tx: Queryable,
  { place, host, selfKey, foreignKey, symmetric, isMultiple, field }: Linked,
  side: 'own' | 'foreign',
  gone: readonly string[],
): Promise<void> => {
  const key = sql.id(side === 'own' ? selfKey : foreignKey);
  if (place === 'pairs') {
    await tx.query(sql`delete from ${host} where ${key} in ${ids(gone)}`);
    return;
  }
  const isBeside = (place === 'own') === (side === 'own');
  if (isBeside) return;
  const ordered =
    place === 'own'
      ? symmetric === undefined || !leadsToSeveral(symmetric.options)
        ? null
        : symmetric.id
      : isMultiple
        ? field.id
        : null;
  await tx.query(
    sql`update ${host} set ${key} = null${ordered === null ? sql.empty : sql`, ${sql.id(orderColumn(ordered))} = null`} where ${key} in ${ids(gone)}`,
  );
};

const isGone = (key: string, { baseId, dbTableName }: RelatedTable): Sql =>
  sql`not exists (select 1 from ${sql.id(baseId, dbTableName)} r where r.__id = ${sql.id('k', key)})`;

/** Keys that lead to no record; `k` is the row that holds them. */
const dangling = ({ place, own, foreign, selfKey, foreignKey }: Linked): Sql => {
  if (place === 'pairs') return sql`(${isGone(selfKey, own)} or ${isGone(foreignKey, foreign)})`;
  const [key, table] = place === 'own' ? [foreignKey, foreign] : [selfKey, own];
  return sql`(${sql.id('k', key)} is not null and ${isGone(key, table)})`;
};

/** Of a link that was out of sight: what it leads to may be gone since. */
export const dropDangling = async (tx: Queryable, linked: Linked): Promise<void> => {
  const { place, host, selfKey, foreignKey } = linked;
  if (place === 'pairs') await tx.query(sql`delete from ${host} k where ${dangling(linked)}`);
  else
    await tx.query(
      sql`update ${host} k set ${sql.id(place === 'own' ? foreignKey : selfKey)} = null where ${dangling(linked)}`,
    );
};

/** The same of some records, which are locked. */
export const dropDanglingOf = async (tx: Queryable, linked: Linked, own: readonly string[]): Promise<void> => {
  const { place, host, foreign, selfKey, foreignKey, symmetric } = linked;
  if (place === 'foreign') return;
  if (place === 'pairs') {
    await tx.query(
      sql`delete from ${host} k where ${sql.id('k', selfKey)} = any(${own}::text[]) and ${isGone(foreignKey, foreign)}`,
    );
    return;
  }
  const order =
    symmetric === undefined || !leadsToSeveral(symmetric.options)
      ? sql.empty
      : sql`, ${sql.id(orderColumn(symmetric.id))} = null`;
  await tx.query(
    sql`update ${host} k set ${sql.id(foreignKey)} = null${order} where k.__id = any(${own}::text[]) and ${dangling(linked)}`,
  );
};

/**
 * Pairs of a one-way link whose own record is gone: there is no record that could be locked for them, as there is for all others. Who restores it writes the pair again; one
 * that somebody has locked is not looked at, and whether the record is there is asked after the pairs are locked.
 */
export const dropOrphanedPairs = async (
  tx: Queryable,
  { place, host, own, selfKey, foreignKey, symmetric }: Linked,
): Promise<void> => {
  if (place !== 'pairs' || symmetric !== undefined) return;
  const [self, foreign] = [sql.id('k', selfKey), sql.id('k', foreignKey)];
  const pairs = await many<{ self: string; foreign: string }>(
    tx,
    sql`select ${self} as self, ${foreign} as foreign from ${host} k where ${isGone(selfKey, own)} for update of k skip locked`,
  );
  if (pairs.length === 0) return;
  await tx.query(
    sql`delete from ${host} k using unnest(${arrayLiteral(pairs.map((pair) => pair.self))}::text[], ${arrayLiteral(pairs.map((pair) => pair.foreign))}::text[]) as w(self_id, foreign_id)
        where ${self} = w.self_id and ${foreign} = w.foreign_id and ${isGone(selfKey, own)}`,
  );
};

export const countDangling = async (db: Queryable, linked: Linked): Promise<number> =>
  (await one<{ count: number }>(db, sql`select count(*)::int as count from ${linked.host} k where ${dangling(linked)}`))
    .count;

/** How many records of this side are linked. */
export const countLinked = async (db: Queryable, { host, selfKey, foreignKey }: Linked): Promise<number> =>
  (
    await one<{ count: number }>(
      db,
      sql`select count(distinct ${sql.id('k', selfKey)})::int as count from ${host} k where ${sql.id('k', selfKey)} is not null and ${sql.id('k', foreignKey)} is not null`,
    )
  ).count;
