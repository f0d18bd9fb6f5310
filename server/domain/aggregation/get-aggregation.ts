import { type getAggregation as endpoint, type Statistic, validStatistics } from '@rowhouse/contract/aggregation.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { type Issue, invalid } from '@rowhouse/contract/error.ts';
import { statistics } from '@rowhouse/contract/statistic.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Unconfirmed } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { OutOfTime } from '../../db/error.ts';
import { guardedRead, seen, type TableContext } from '../../pipeline/pipeline.ts';
import { isNested } from '../cell/looked-up.sql.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import type { Asked, ResolvedQuery } from '../query/resolve-query.ts';
import { findField, noSuchField } from '../query/reference.ts';
import { groupIds } from '../record/read/group-points.ts';
import { all } from '../query/filter.sql.ts';
import { findByIndex, wishForSearchIndex } from '../record/search-index/find-by-index.ts';
import { wishForIndexes } from '../record/view-index/keep-query-indexes.ts';
import { queryFor } from '../record/read/list-records.ts';
import { boundedFor } from '../record/read/read-soon.ts';
import { keptAnswer, levelNames } from '../record/read/kept-answer.ts';
import { type Measured, selectGroupTotals, selectTotals, type Wanted } from './aggregation.sql.ts';

/**
 * What every aggregation does around its statements: plan on the remembered schema, and look whether it still holds. `db` has the time of a page
 * where cells that are still being filled say which records there are.
 */
export const aggregate = <T>(
  request: Unconfirmed,
  asked: Asked,
  work: (db: Queryable, resolved: ResolvedQuery, sight: Sight, context: TableContext) => Promise<T>,
): Promise<T> =>
  guardedRead(request, async (context, sight) => {
    const resolved = queryFor(sight, asked);
    const begun = performance.now();
    const where = all([resolved.where, await findByIndex(context, sight, resolved)]);
    const value = await work(boundedFor(context.db, resolved.deciding), { ...resolved, where }, sight, context);
    wishForSearchIndex(context, sight, resolved, performance.now() - begun);
    wishForIndexes(context, sight, resolved.wishes, performance.now() - begun);
    return seen(context, sight, value);
  });

type Query = QueryOf<typeof endpoint>;
type Answer = ResponseOf<typeof endpoint>['aggregations'];

/** What the columns of the view show; what no longer fits its field is passed over. */
const ofView = ({ view, visible }: ResolvedQuery): Wanted[] =>
  visible.flatMap((field) => {
    const statistic = view?.columnMeta[field.id]?.statisticFunc as Statistic | null | undefined;
    return statistic === undefined || statistic === null || !validStatistics(filterFieldOf(field)).includes(statistic)
      ? []
      : [{ field, statistic }];
  });

const maxWanted = 500;

const readWanted = (query: Query, resolved: ResolvedQuery, sight: Sight): Wanted[] => {
  const issues: Issue[] = [];
  const given = Object.entries(query).filter(([key]) => key === 'field' || key.startsWith('field['));
  const wanted = given.flatMap(([key, references]) => {
    const statistic = /^field\[(\w+)\]$/.exec(key)?.[1] as Statistic | undefined;
    if (statistic === undefined || !statistics.includes(statistic)) {
      issues.push({
        path: `query.${key.slice(0, 100)}`,
        message: 'Expected field[statistic][]=field',
        expected: `one of ${statistics.join(', ')}`,
      });
      return [];
    }
    return ([references].flat() as string[]).flatMap((reference, index): Wanted[] => {
      const path = `query.${key}[${index}]`;
      const field = findField(sight, resolved.keyType, reference);
      if (field === undefined) issues.push(noSuchField(path, reference));
      else if (!validStatistics(filterFieldOf(field)).includes(statistic)) {
        issues.push({
          path,
          message: `A field of type ${field.type} has no statistic ${statistic}`,
          expected: validStatistics(filterFieldOf(field)).join(', '),
        });
      } else return [{ field, statistic }];
      return [];
    });
  });
  if (wanted.length > maxWanted)
    issues.push({ path: 'query.field', message: `Expected at most ${maxWanted} statistics` });
  if (issues.length > 0) throw invalid(issues);
  return given.length === 0 ? ofView(resolved) : wanted;
};

// A function of PostgreSQL takes 100 arguments at most.
const batchSize = 90;

const measure = async (
  db: Queryable,
  sight: Sight,
  { levels, where }: ResolvedQuery,
  wanted: readonly Wanted[],
): Promise<Answer> => {
  const totals = await selectTotals(db, sight, wanted, where);
  const byGroup = new Map<string, Measured[]>();
  for (let depth = 1; depth <= levels.length; depth += 1) {
    const outer = levels.slice(0, depth);
    for (const row of await selectGroupTotals(db, sight, wanted, outer, where))
      byGroup.set(groupIds(outer, row)[depth - 1] as string, row.results);
  }
  return wanted.map(({ field, statistic }, at) => ({
    fieldId: field.id,
    total: { value: totals[at] ?? null, aggFunc: statistic },
    ...(levels.length === 0
      ? {}
      : {
          group: Object.fromEntries(
            [...byGroup].map(([id, results]) => [id, { value: results[at] ?? null, aggFunc: statistic }]),
          ),
        }),
  }));
};

/** Statistics of cells that are still being filled have the time of a page; then they are left empty, which the field says by `isPending`. */
const measureSoon = async (
  { db }: TableContext,
  sight: Sight,
  resolved: ResolvedQuery,
  wanted: readonly Wanted[],
): Promise<Answer> => {
  const fields = wanted.map(({ field }) => field);
  try {
    return await measure(boundedFor(db, [...resolved.deciding, ...fields]), sight, resolved, wanted);
  } catch (error) {
    // What says which records there are cannot be left out.
    if (!(error instanceof OutOfTime) || resolved.deciding.some(isNested)) throw error;
    return wanted.map(({ field, statistic }) => ({ fieldId: field.id, total: { value: null, aggFunc: statistic } }));
  }
};

export const getAggregation = (request: Unconfirmed, query: Query): Promise<{ aggregations: Answer }> =>
  aggregate(request, query, async (_db, resolved, sight, context) => {
    const wanted = readWanted(query, resolved, sight);
    const measured = new Map<Wanted, Answer[number]>();
    for (const some of [
      wanted.filter(({ field }) => !isNested(field)),
      wanted.filter(({ field }) => isNested(field)),
    ]) {
      for (let at = 0; at < some.length; at += batchSize) {
        const batch = some.slice(at, at + batchSize);
        const question = {
          asked: query as Asked,
          fields: [...resolved.deciding, ...batch.map(({ field }) => field)],
          where: resolved.where,
          of: [batch.map(({ field, statistic }) => [field.id, statistic]), levelNames(resolved.levels)],
        };
        const answers = await keptAnswer(context, sight, question, () => measureSoon(context, sight, resolved, batch));
        for (const [index, one] of batch.entries()) measured.set(one, answers[index] as Answer[number]);
      }
    }
    return { aggregations: wanted.map((one) => measured.get(one) as Answer[number]) };
  });
