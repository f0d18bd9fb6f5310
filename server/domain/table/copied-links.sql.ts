import { byTheCoordinator } from '../../db/cluster-form.ts';
import type { Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type Linked, orderColumn } from '../cell/linked.sql.ts';
import { leadsToSeveral } from '../cell/type/link.ts';

/** The ids of records and of their copies, in the same order. */
export interface CopiedIds {
  old: readonly string[];
  copies: readonly string[];
}

/** The columns that say where a linked record stands in a list, of both links. */
const orders = (from: Linked, to: Linked): [from: string, to: string][] => [
  ...(from.isMultiple && to.isMultiple
    ? [[orderColumn(from.field.id), orderColumn(to.field.id)] as [string, string]]
    : []),
  ...(from.symmetric !== undefined && to.symmetric !== undefined && leadsToSeveral(to.symmetric.options)
    ? [[orderColumn(from.symmetric.id), orderColumn(to.symmetric.id)] as [string, string]]
    : []),
];

/** Of the same relationship. Without ids the records have the same ones. */
export const copyKeys = async (tx: Queryable, from: Linked, to: Linked, ids: CopiedIds | null): Promise<void> => {
  const k = (name: string): Sql => sql.id('k', name);
  const isWithin = from.foreign.id === from.own.id;
  const pairs =
    ids === null
      ? sql.empty
      : sql`join unnest(${ids.old}::text[], ${ids.copies}::text[]) n(id, copy) on n.id = ${k(from.selfKey)}`;
  const within =
    ids === null || !isWithin
      ? sql.empty
      : sql`join unnest(${ids.old}::text[], ${ids.copies}::text[]) f(id, copy) on f.id = ${k(from.foreignKey)}`;
  const self = ids === null ? k(from.selfKey) : sql`n.copy`;
  const foreign = ids === null || !isWithin ? k(from.foreignKey) : sql`f.copy`;
  const lists = orders(from, to);
  const chosen = sql`select ${self} as self_id, ${foreign} as foreign_id${sql.join(
    lists.map(([name], at) => sql`, ${k(name)} as ${sql.id(`at${at}`)}`),
    '',
  )}
    from ${from.host} k ${pairs} ${within} where ${k(from.selfKey)} is not null and ${k(from.foreignKey)} is not null and ${byTheCoordinator}`;
  if (to.place === 'pairs') {
    await tx.query(
      sql`insert into ${to.host} (${sql.join([to.selfKey, to.foreignKey, ...lists.map(([, name]) => name)].map((name) => sql.id(name)))})
          select self_id, foreign_id${sql.join(
            lists.map((_, at) => sql`, ${sql.id(`at${at}`)}`),
            '',
          )} from (${chosen}) c`,
    );
    return;
  }
  const sets = [
    sql`${sql.id(to.foreignKey)} = c.foreign_id`,
    ...lists.map(([, name], at) => sql`${sql.id(name)} = c.${sql.id(`at${at}`)}`),
  ];
  // By itself: the two may be in different bases.
  await tx.query(
    sql`with c as materialized (${chosen}) update ${to.host} p set ${sql.join(sets)} from c where p.__id = c.self_id`,
  );
};
