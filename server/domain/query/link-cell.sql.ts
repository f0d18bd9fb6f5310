// What a picker of a link asks for: the records that a cell may still take, and those that are in it.
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { Asker } from '../../catalog/asker.ts';
import type { RecordCondition } from '../../catalog/condition.ts';
import { cellBeside, type Sight } from '../../catalog/sight.ts';
import type { FieldSchema, RelatedTable } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { isLink, type Linked, mayDangle, orderColumn, recordsOf } from '../cell/linked.sql.ts';
import { linksAmong } from '../computed/graph.ts';
import { conditionSql } from './condition.sql.ts';
import { readJson } from './reference.ts';
import type { SortKey } from './sort-key.sql.ts';

/** `fld…`, or `["fld…", "rec…"]`, also as JSON text. */
export type LinkCell = string | string[];

interface Asked {
  linked: Linked;
  recordId: string | undefined;
  isSeen: RecordCondition;
}

const readCell = (given: LinkCell, at: string): { fieldId: string; recordId: string | undefined } => {
  const text = Array.isArray(given) && given.length === 1 ? (given[0] as string) : given;
  const parsed = typeof text === 'string' && text.trimStart().startsWith('[') ? readJson(text, at) : text;
  const items: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const [fieldId, recordId] = items;
  if (typeof fieldId !== 'string' || (recordId !== undefined && typeof recordId !== 'string') || items.length > 2) {
    throw invalid({
      path: at,
      message: 'Expected the id of a link field, or that and the id of a record',
      expected: '"fld…" or ["fld…", "rec…"]',
    });
  }
  return { fieldId, recordId };
};

/** Nothing is said of a field that is not there for the caller, also when it is no link to this table. */
const isKnown = (sight: Sight, own: RelatedTable, { id }: FieldSchema): boolean =>
  own.id === sight.table.id ? sight.byId.has(id) : cellBeside(sight, own.id, id) !== false;

/** The link field is one of the table that is linked from, which is another one as a rule. */
const readAsked = (sight: Sight, given: LinkCell, at: string): Asked => {
  const { table, rule } = sight;
  const { fieldId, recordId } = readCell(given, at);
  const own =
    rule.key !== undefined || rule.fieldIds === null || rule.fieldIds.has(fieldId)
      ? [...table.related.values()].find(({ byId }) => byId.has(fieldId))
      : undefined;
  const field = own?.byId.get(fieldId);
  if (own === undefined || field === undefined || !isKnown(sight, own, field))
    throw notFound('Field', fieldId.slice(0, 50));
  if (!isLink(field))
    throw invalid({
      path: at,
      message: `"${field.name}" is not a link`,
      expected: 'the id of a link field that leads to this table',
    });
  const linked = linksAmong(table).find((one) => one.field.id === fieldId && one.foreign.id === table.id);
  if (linked === undefined)
    throw invalid({
      path: at,
      message: `"${field.name}" does not lead to this table`,
      expected: 'the id of a link field that leads to this table',
    });
  return { linked, recordId, isSeen: edgesSeen(sight, linked) };
};

/** From which records of the other table the caller sees the link. */
const edgesSeen = (sight: Sight, { own, field }: Linked): RecordCondition => {
  const seen = cellBeside(sight, own.id, field.id);
  if (seen === false) throw notFound('Field', field.id);
  return seen ?? true;
};

/** Rows of keys `k` that lead to the record `r`: from any record, or from one. */
const leadsHere = ({ linked, isSeen }: Asked, recordId: string | undefined, asker: Asker): Sql => {
  const self = sql.id('k', linked.selfKey);
  const seen =
    isSeen === true
      ? sql.empty
      : sql` and exists (select 1 from ${recordsOf(linked.own)} o where o.__id = ${self} and ${conditionSql(isSeen, linked.own, asker, 'o')})`;
  const isThere = mayDangle(linked)
    ? sql`exists (select 1 from ${recordsOf(linked.own)} o where o.__id = ${self})`
    : sql`${self} is not null`;
  return sql`from ${linked.host} k where ${sql.id('k', linked.foreignKey)} = r.__id and ${recordId === undefined ? isThere : sql`${self} = ${recordId}`}${seen}`;
};

/** Not those that are in the cell, nor those that any record has where only one may have them. Null for all. */
export const candidateSql = (sight: Sight, given: LinkCell): Sql | null => {
  const found = readAsked(sight, given, 'query.filterLinkCellCandidate');
  const { linked, recordId } = found;
  // Keys beside the records that are offered: their index knows those without one.
  if (linked.isExclusive && linked.place === 'foreign' && !mayDangle(linked))
    return sql`${sql.id('r', linked.selfKey)} is null`;
  // That a record is taken is told, without by whom.
  if (linked.isExclusive)
    return sql`not exists (select ${leadsHere({ ...found, isSeen: true }, undefined, sight.asker)})`;
  return recordId === undefined ? null : sql`not exists (select ${leadsHere(found, recordId, sight.asker)})`;
};

/** `key`: the order of the cell, when one cell with several records is asked for. */
export const selectedSql = (sight: Sight, given: LinkCell): { where: Sql; key: SortKey | null } => {
  const found = readAsked(sight, given, 'query.filterLinkCellSelected');
  const { linked, recordId } = found;
  const where = sql`exists (select ${leadsHere(found, recordId, sight.asker)})`;
  if (recordId === undefined || !linked.isMultiple) return { where, key: null };
  const place = sql`(select ${sql.id('k', orderColumn(linked.field.id))} ${leadsHere(found, recordId, sight.asker)} limit 1)`;
  return {
    where,
    key: {
      name: `cell.${linked.field.id}.${recordId}`,
      expression: sql`coalesce(${place}, 1e300)`,
      type: 'double precision',
      order: 'asc',
      canBeNull: false,
      indexable: false,
    },
  };
};
