import { type getAggregation as endpoint, type Statistic, validStatistics } from '@rowhouse/contract/aggregation.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { type Issue, invalid } from '@rowhouse/contract/error.ts';
import { statistics } from '@rowhouse/contract/view.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Context, Unconfirmed } from '../../context.ts';
import { guardedRead, seen, type TableContext } from '../../pipeline/pipeline.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import type { Asked, ResolvedQuery } from '../query/resolve-query.ts';
import { findField, noSuchField } from '../query/reference.ts';
import { groupIds } from '../record/read/group-points.ts';
import { queryFor } from '../record/read/list-records.ts';
import { type Measured, selectGroupTotals, selectTotals, type Wanted } from './aggregation.sql.ts';

/** What every aggregation does around its statements: plan on the remembered schema, and look whether it still holds. */
export const aggregate = <T>(
  request: Unconfirmed,
  asked: Asked,
  work: (context: TableContext, resolved: ResolvedQuery, sight: Sight) => Promise<T>,
): Promise<T> =>
  guardedRead(request, async (context, sight) =>
    seen(context, sight, await work(context, queryFor(sight, asked), sight)),
  );

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
  context: Context,
  sight: Sight,
  { levels, where }: ResolvedQuery,
  wanted: readonly Wanted[],
): Promise<Answer> => {
  const totals = await selectTotals(context.db, sight, wanted, where);
  const byGroup = new Map<string, Measured[]>();
  for (let depth = 1; depth <= levels.length; depth += 1) {
    const outer = levels.slice(0, depth);
    for (const row of await selectGroupTotals(context.db, sight, wanted, outer, where))
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

export const getAggregation = (request: Unconfirmed, query: Query): Promise<{ aggregations: Answer }> =>
  aggregate(request, query, async (context, resolved, sight) => {
    const wanted = readWanted(query, resolved, sight);
    const aggregations: Answer = [];
    for (let at = 0; at < wanted.length; at += batchSize)
      aggregations.push(...(await measure(context, sight, resolved, wanted.slice(at, at + batchSize))));
    return { aggregations };
  });
