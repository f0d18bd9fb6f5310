// GET /base/:baseId/query
import { type QueryOf } from '@rowhouse/contract/endpoint.ts';
import { BaseQueryLevel, type queryBase as endpoint } from '@rowhouse/contract/base-query.ts';
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import { type FilterField, type FilterGroup, readFilter } from '@rowhouse/contract/filter.ts';
import { validStatistics } from '@rowhouse/contract/aggregation.ts';
import { demand } from '../../catalog/access.ts';
import { eyesOf } from '../../catalog/principal.ts';
import { sightOf } from '../../catalog/sight.ts';
import { loadTable } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { validator } from '../../endpoint/validate.ts';
import { fieldVo, filterFieldOf } from '../field/field-vo.ts';
import { selectIsInBase } from '../field/link-field.sql.ts';
import { readJson } from '../query/reference.ts';
import {
  chosen,
  type Column,
  countRows,
  filtered,
  grouped,
  joined,
  ofTable,
  type Relation,
  selectRows,
} from './relation.sql.ts';

const deepest = 5;
const mostRows = 1_000;
/** That joins may make before they are grouped, sorted and cut: four tables of 300 rows, joined on a constant, took 5 GB of disk. */
const mostJoined = 500_000;
const checkLevel = validator(BaseQueryLevel);

const tableRelation = async (context: Context, tableId: string): Promise<Relation> => {
  const baseId = context.access.baseId as string;
  if (!(await selectIsInBase(context.db, baseId, tableId))) throw notFound('Table', tableId);
  return ofTable(sightOf(context, await loadTable(context.db, baseId, tableId)));
};

const find = ({ columns }: Relation, key: string, path: string): Column => {
  const column = columns.find((one) => one.key === key) ?? columns.find((one) => one.field.id === key);
  if (column === undefined)
    throw invalid({
      path,
      message: `There is no column ${JSON.stringify(key.slice(0, 100))} here`,
      expected: 'the id of a field, or a column of the query within',
    });
  return column;
};

interface Named {
  column?: unknown;
  filterSet?: unknown;
  conjunction?: unknown;
}

/** A filter that names columns, by the rules of filters that name fields. Conditions of the answer name keys. */
const readWhere = ({ columns }: Relation, given: unknown, path: string): FilterGroup | null => {
  const fieldOf = ({ key, field }: Column): FilterField => ({ ...filterFieldOf(field), id: key });
  // As everywhere in a query: by key, or by the field, the first of them.
  const fields = new Map([
    ...columns.toReversed().map((column) => [column.field.id, fieldOf(column)] as const),
    ...columns.map((column) => [column.key, fieldOf(column)] as const),
  ]);
  const asFields = (item: unknown): unknown => {
    const { column, filterSet, ...rest } = (typeof item === 'object' && item !== null ? item : {}) as Named;
    return Array.isArray(filterSet) ? { ...rest, filterSet: filterSet.map(asFields) } : { ...rest, fieldId: column };
  };
  const { filter, issues } = readFilter(asFields(given), fields, path);
  if (issues.length > 0) throw invalid(issues);
  return filter;
};

const group = (relation: Relation, { groupBy = [], aggregation = [] }: BaseQueryLevel, path: string): Relation => {
  if (groupBy.length === 0 && aggregation.length === 0) return relation;
  return grouped(
    relation,
    groupBy.map(({ column }, at) => find(relation, column, `${path}.groupBy[${at}].column`)),
    aggregation.map(({ column: key, statisticFunc }, at) => {
      const column = find(relation, key, `${path}.aggregation[${at}].column`);
      const valid = validStatistics(filterFieldOf(column.field));
      if (!valid.includes(statisticFunc))
        throw invalid({
          path: `${path}.aggregation[${at}].statisticFunc`,
          message: `There is no ${statisticFunc} of "${column.name}"`,
          expected: valid.join(', '),
        });
      return { column, statistic: statisticFunc };
    }),
  );
};

const build = async (context: Context, given: unknown, path: string, depth: number): Promise<Relation> => {
  checkLevel(given, path);
  const level = given as BaseQueryLevel;
  if (depth > deepest)
    throw invalid({
      path,
      message: `The query is more than ${deepest} deep`,
      expected: `at most ${deepest} queries within each other`,
    });
  let relation =
    typeof level.from === 'string'
      ? await tableRelation(context, level.from)
      : await build(context, level.from, `${path}.from`, depth + 1);
  for (const [at, { type, table, on }] of (level.join ?? []).entries()) {
    const other = await tableRelation(context, table);
    const twice = other.columns.find(({ key }) => relation.columns.some((one) => one.key === key));
    if (twice !== undefined)
      throw invalid({
        path: `${path}.join[${at}].table`,
        message: 'The table is in the query already',
        expected: 'another table',
      });
    const [one, two] = on as [string, string];
    const isTurned = !relation.columns.some(({ key }) => key === one);
    relation = joined(relation, other, type, [
      find(relation, isTurned ? two : one, `${path}.join[${at}].on`),
      find(other, isTurned ? one : two, `${path}.join[${at}].on`),
    ]);
  }
  if (level.where !== undefined && level.where !== null)
    relation = filtered(relation, readWhere(relation, level.where, `${path}.where`), {
      userId: context.principal.userId,
      now: context.now(),
    });
  if ((level.join ?? []).length > 0 && (await countRows(context.db, relation, mostJoined)) > mostJoined) {
    throw invalid({
      path: `${path}.join`,
      message: `The joined tables have more than ${mostJoined} rows together`,
      expected: `joins on columns whose values differ, or a filter, so that there are at most ${mostJoined} rows`,
    });
  }
  const isGrouped = (level.groupBy ?? []).length + (level.aggregation ?? []).length > 0;
  relation = group(relation, level, path);
  const order = (level.orderBy ?? []).map(({ column, order: way }, at) => ({
    column: find(relation, column, `${path}.orderBy[${at}].column`),
    order: way,
  }));
  const groups = isGrouped
    ? relation.columns
        .slice(0, (level.groupBy ?? []).length)
        .map((column) => ({ column, order: 'asc' as const, asText: true as const }))
    : [];
  const picked =
    level.select === undefined || level.select.length === 0
      ? relation.columns.map((column) => ({ column, key: column.key }))
      : level.select.map(({ column: key, alias }, at) => {
          const column = find(relation, key, `${path}.select[${at}].column`);
          return { column, key: alias?.replaceAll('?', '_') ?? column.key };
        });
  const keys = picked.map(({ key }) => key);
  // PostgreSQL has no longer names for columns.
  const long = [...relation.columns.map(({ key }) => key), ...keys].find((key) => Buffer.byteLength(key) > 63);
  if (long !== undefined)
    throw invalid({
      path: `${path}.select`,
      message: `The name ${JSON.stringify(long)} is longer than 63 bytes`,
      expected: 'a shorter alias',
    });
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined)
    throw invalid({
      path: `${path}.select`,
      message: `Two columns are called ${JSON.stringify(twice)}`,
      expected: 'an alias for one of them',
    });
  return chosen(relation, picked, [...order, ...groups], level.limit ?? mostRows, level.offset ?? 0);
};

/** The answer as JSON text. */
export const queryBase = async (
  context: Context,
  { query, cellFormat = 'text' }: QueryOf<typeof endpoint>,
): Promise<string> => {
  demand(context.access, 'record|read', context.access.baseId as string);
  const relation = await build(context, readJson(query, 'query'), 'query', 1);
  const columns = relation.columns.map(({ key, name, type, field, isOfTable }) => ({
    name,
    column: key,
    type,
    ...(isOfTable ? { fieldSource: fieldVo(field) } : {}),
  }));
  return `{"rows":[${await selectRows(context.db, relation, cellFormat, eyesOf(context.principal))}],"columns":${JSON.stringify(columns)}}`;
};
