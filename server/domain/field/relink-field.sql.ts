// What a field leads to when it becomes a link, or another one: collected from the keys or the cells that it has, in a table that lives as long as
// the change does.
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { byTheCoordinator } from '../../db/cluster-form.ts';
import { many, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type Linked, orderColumn, recordsOf } from '../cell/linked.sql.ts';
import { leadsToSeveral } from '../cell/type/link.ts';
import { cellTypeOf, columnOf } from '../cell/types.ts';

/** Of a link that has become something else: its keys are gone, so its other side in the trash names none that could come to be again. */
export const detached = (baseId: string, field: FieldSchema): FieldSchema => ({
  ...field,
  options: {
    ...field.options,
    fkHostTableName: `${baseId}.junction_${field.id}_gone`,
    selfKeyName: `__fk_${field.id}`,
    foreignKeyName: '__fk_gone',
  },
});

export const isDetached = ({ options }: FieldSchema): boolean => options.foreignKeyName === '__fk_gone';

const endsOf = ({ baseId }: Pick<RelatedTable, 'baseId'>, fieldId: string): Sql => sql.id(baseId, `__ends_${fieldId}`);

/** Items of the cells of a field that is no link: of lists each, of texts what stands between commas. The whole text first: a title may have commas. */
const itemsOf = (own: RelatedTable, field: FieldSchema, isList: boolean): Sql => {
  const cells = cellTypeOf(field);
  const column = columnOf(field, 'r');
  const records = recordsOf(own);
  if (cells.isMultiple && (cells.kind === 'choice' || cells.kind === 'person' || cells.kind === 'link')) {
    const title = cells.kind === 'choice' ? sql`i.item #>> '{}'` : sql`i.item ->> 'title'`;
    return sql`select r.__id as own_id, i.at, ${title} as title from ${records} r, jsonb_array_elements(${column}) with ordinality as i(item, at)`;
  }
  const text = cells.text(column, field);
  const parts = sql`select r.__id as own_id, i.at, btrim(i.part) as title from ${records} r, regexp_split_to_table(${text}, ',') with ordinality as i(part, at)`;
  return sql`select r.__id as own_id, 0::bigint as at, btrim(${text}) as title from ${records} r union all ${isList ? parts : sql`select own_id, at, title from (${parts}) p where at = 1`}`;
};

export interface Collecting {
  own: RelatedTable;
  /** As it is so far. */
  field: FieldSchema;
  /** The same when it is a link to the same table. */
  from: Linked | undefined;
  foreign: RelatedTable;
  title: FieldSchema;
  /** What is to be: one of them at most, and whether each can be in one cell only. */
  isMultiple: boolean;
  isExclusive: boolean;
  /** Records with an entry of this operation get what they had before it. */
  undone: number | undefined;
}

/** A select of (own_id, foreign_id, at, other_at), as the new link may have them: the first of several where there is room for one. */
const collected = ({ own, field, from, foreign, title, isMultiple, isExclusive, undone }: Collecting): Sql => {
  const history = sql.id(own.baseId, `__history_${own.id}`);
  const matched: Sql[] = [];
  const untouched =
    undone === undefined
      ? sql.empty
      : sql`and not exists (select 1 from ${history} h where h.op_id = ${undone}::bigint and h.record_id = x.own_id)`;
  if (undone !== undefined) {
    matched.push(sql`
      select h.record_id as own_id, s.__id as foreign_id, i.at::double precision as at, null::double precision as other_at
      from ${history} h, lateral jsonb_path_query(h.before::jsonb, '$[*]') with ordinality as i(item, at), ${recordsOf(foreign)} s
      where h.op_id = ${undone}::bigint and h.before is not null and s.__id = i.item ->> 'id' and exists (select 1 from ${recordsOf(own)} r where r.__id = h.record_id)`);
  }
  if (from !== undefined) {
    const at = from.isMultiple ? sql.id('k', orderColumn(from.field.id)) : sql`0::double precision`;
    const otherAt =
      from.symmetric !== undefined && leadsToSeveral(from.symmetric.options)
        ? sql.id('k', orderColumn(from.symmetric.id))
        : sql`null::double precision`;
    matched.push(sql`
      select x.own_id, x.foreign_id, x.at, x.other_at
      from (select ${sql.id('k', from.selfKey)} as own_id, ${sql.id('k', from.foreignKey)} as foreign_id, ${at} as at, ${otherAt} as other_at from ${from.host} k) x
           join ${recordsOf(foreign)} s on s.__id = x.foreign_id
      where x.own_id is not null ${untouched}`);
  } else {
    // The oldest of several with the same title, as with typecast.
    matched.push(sql`
      select x.own_id, t.id as foreign_id, x.at::double precision as at, null::double precision as other_at
      from (${itemsOf(own, field, isMultiple)}) x
           join (select distinct on (title) title, id from (select ${cellTypeOf(title).text(columnOf(title, 's'), title)} as title, s.__id as id, s.__auto_number as number from ${recordsOf(foreign)} s) all_titles
                 where title is not null order by title, number) t on t.title = x.title
      where x.title <> '' ${untouched}`);
  }
  const number = sql`r.__auto_number`;
  return sql`
    select own_id, foreign_id, row_number() over (partition by own_id order by at, number) as at, row_number() over (partition by foreign_id order by other_at, number) as other_at
    from (
      select w.*, row_number() over (partition by w.foreign_id order by w.number, w.at) as claim
      from (
        select m.own_id, m.foreign_id, m.at, m.other_at, ${number} as number, row_number() over (partition by m.own_id order by m.at nulls last, m.foreign_id) as place
        from (select own_id, foreign_id, min(at) as at, min(other_at) as other_at from (${sql.join(matched, ' union all ')}) found group by 1, 2) m join ${recordsOf(own)} r on r.__id = m.own_id
      ) w where ${isMultiple ? sql`true` : sql`w.place = 1`}
    ) c where ${isExclusive ? sql`c.claim = 1` : sql`true`}`;
};

export const collectEnds = async (tx: Queryable, collecting: Collecting): Promise<void> => {
  await tx.query(sql`create table ${endsOf(collecting.own, collecting.field.id)} as ${collected(collecting)}`);
};

const mostExamples = sql.integer(5);

/** What a conversion to the link would lose: cells of which not everything is among the records that it leads to. Nothing is written. Examples are for those who see all records. */
export const lossOfLink = async (
  db: Queryable,
  { rows: seen, seesCells }: Sight,
  collecting: Collecting,
): Promise<
  { filledCellCount: number; lostCellCount: number; lostExamples: { text: string; count: number }[] } | undefined
> => {
  if (!seesCells) return undefined;
  const { own, field, from } = collecting;
  const cells = cellTypeOf(field);
  const column = columnOf(field, 'r');
  const shown = cells.text(column, field);
  const wanted =
    from !== undefined
      ? sql`(select count(*) from ${from.host} k where ${sql.id('k', from.selfKey)} = r.__id and ${sql.id('k', from.foreignKey)} is not null)`
      : cells.isMultiple && cells.column === 'jsonb'
        ? sql`jsonb_array_length(${column})`
        : sql`(select count(distinct nullif(btrim(part), '')) from regexp_split_to_table(${shown}, ',') part)`;
  const told = sql`
    select left(${shown}, 100) as text, ${wanted} as wanted, coalesce(n.found, 0) as found, coalesce(n.is_whole, false) as is_whole
    from ${recordsOf(own)} r left join (select own_id, count(*) as found, bool_or(shown_title = whole) as is_whole from (
      select e.own_id, ${cellTypeOf(collecting.title).text(columnOf(collecting.title, 's'), collecting.title)} as shown_title, (select btrim(${shown}) from ${recordsOf(own)} r where r.__id = e.own_id) as whole
      from (${collected(collecting)}) e join ${recordsOf(collecting.foreign)} s on s.__id = e.foreign_id) t group by own_id) n on n.own_id = r.__id
    where ${column} is not null`;
  const lost = sql`found < wanted and not is_whole`;
  const [counts] = await many<{ filled: number; lost: number }>(
    db,
    sql`select count(*)::int as filled, (count(*) filter (where ${lost}))::int as lost from (${told}) t`,
  );
  const lostExamples =
    counts === undefined || counts.lost === 0 || seen !== true
      ? []
      : await many<{ text: string; count: number }>(
          db,
          sql`select coalesce(text, '') as text, count(*)::int as count from (${told}) t where ${lost} group by 1 order by 2 desc, 1 limit ${mostExamples}`,
        );
  return { filledCellCount: counts?.filled ?? 0, lostCellCount: counts?.lost ?? 0, lostExamples };
};

/** The keys of the link are there, and empty. */
export const writeCollected = async (
  tx: Queryable,
  { field, own, place, host, selfKey, foreignKey, symmetric, isMultiple }: Linked,
): Promise<void> => {
  const ends = endsOf(own, field.id);
  const lists = [
    ...(isMultiple ? [[orderColumn(field.id), sql`e.at`] as const] : []),
    ...(symmetric !== undefined && leadsToSeveral(symmetric.options)
      ? [[orderColumn(symmetric.id), sql`e.other_at`] as const]
      : []),
  ];
  if (place === 'pairs') {
    await tx.query(sql`insert into ${host} (${sql.join([selfKey, foreignKey, ...lists.map(([name]) => name)].map((name) => sql.id(name)))})
      select e.own_id, e.foreign_id${sql.join(
        lists.map(([, at]) => sql`, ${at}`),
        '',
      )} from ${ends} e where ${byTheCoordinator}`);
  } else {
    const [key, value, id] =
      place === 'own' ? [foreignKey, sql`e.foreign_id`, sql`e.own_id`] : [selfKey, sql`e.own_id`, sql`e.foreign_id`];
    const sets = [sql`${sql.id(key)} = ${value}`, ...lists.map(([name, at]) => sql`${sql.id(name)} = ${at}`)];
    await tx.query(sql`update ${host} p set ${sql.join(sets)} from ${ends} e where p.__id = ${id}`);
  }
  await tx.query(sql`drop table ${ends}`);
};
