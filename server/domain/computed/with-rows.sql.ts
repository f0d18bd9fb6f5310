// What the statement that writes records computes of their links: keys beside the records, link cells and what is looked up. Everything that they lead to has been locked by the
// statement before, and so have the records themselves, or nobody else knows of them: nothing that is read here can change before the end of the transaction.
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { isFormula } from '../cell/formula.sql.ts';
import { beyond, isLink, linkCell, type Linked, linkedTo } from '../cell/linked.sql.ts';
import { lookedUpCell, lookupOf } from '../cell/looked-up.sql.ts';
import { columnName, columnOf } from '../cell/types.ts';
import { lastPlace, otherPlaces } from './edge.sql.ts';
import type { DependentField } from './graph.ts';
import type { SettlePlan } from './plan.ts';

/** What a link of some records is to lead to. */
export interface NewLink {
  linked: Linked;
  /** For each record. */
  ids: readonly (readonly string[])[];
}

/** How the ids of a link are given to the statement: one text for each record, an id or an array of them. */
export const keyTexts = (
  { linked: { place }, ids }: NewLink,
  arrayOf: (ids: readonly string[]) => string,
): (string | null)[] =>
  ids.map((some) => (some.length === 0 ? null : place === 'own' ? (some[0] as string) : arrayOf(some)));

export interface Written {
  name: Sql;
  value: Sql;
  /** The key that it is the place of, which stays while the key does. */
  placeOf?: { key: Sql; text: Sql };
}

/** Columns beside the records that hold keys. `texts`: all of those that the statement is given for the link at this place; `text`: that of the record. */
export const keyColumns = (
  links: readonly Linked[],
  text: (at: number) => Sql,
  texts: (at: number) => Sql,
): Written[] =>
  links.flatMap((linked, at): Written[] => {
    if (linked.place !== 'own') return [];
    const key = { name: sql.id(linked.foreignKey), value: text(at) };
    const other = otherPlaces(linked);
    if (other === undefined) return [key];
    // Looked up once for each list: a list may have very many, and very many may join it at once.
    const lasts = sql`(select jsonb_object_agg(d.id, ${lastPlace(linked, other, sql`d.id`)}) from (select distinct t.id from unnest(${texts(at)}) t(id) where t.id is not null) d)`;
    return [
      key,
      {
        name: sql.id(other),
        value: sql`(${lasts} ->> ${text(at)})::double precision + 1`,
        placeOf: { key: key.name, text: key.value },
      },
    ];
  });

/** The cells of links, and of what is looked up through them. Formulas over them are none of these. */
export const cellsOf = (
  { table, withRows, keyed }: SettlePlan,
  recordId: Sql,
  text: (at: number) => Sql,
): (Written & { field: FieldSchema })[] => {
  const places = new Map(
    keyed.map((linked, at) => [linked.field.id, { at, linked: linkedTo(linked, recordId, sql`${text(at)}::text[]`) }]),
  );
  const cellOf = ({ field }: DependentField): Sql => {
    const far = beyond('i');
    const lookup = isLink(field) ? undefined : lookupOf(field, table);
    const place = places.get(lookup?.linked?.field.id ?? field.id);
    if (place === undefined) throw new Error(`the field ${field.id} is not computed through a link that is written`);
    const { linked } = place;
    const row = (column: string): Sql => (column === '__id' ? recordId : text(place.at));
    if (lookup === undefined) return linkCell(linked, row, columnOf(linked.title, far), sql.empty, far);
    return lookedUpCell({ ...lookup, linked }, row, {
      alias: far,
      cell: (named) => columnOf(named, far),
      joined: () => sql.empty,
    });
  };
  return withRows
    .filter(({ field }) => !isFormula(field))
    .map((dependent) => ({ field: dependent.field, name: columnName(dependent.field), value: cellOf(dependent) }));
};
