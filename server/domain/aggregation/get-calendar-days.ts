// GET /table/:tableId/aggregation/calendar-daily-collection
import type { getCalendarDays as endpoint } from '@rowhouse/contract/aggregation.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { zoneOf } from '../../catalog/usable-zone.ts';
import type { Unconfirmed } from '../../context.ts';
import { guardedRead } from '../../pipeline/pipeline.ts';
import { parseInstant } from '../cell/type/date-parse.ts';
import { cellTypeOf } from '../cell/types.ts';
import { all } from '../query/filter.sql.ts';
import { queryFor } from '../record/read/list-records.ts';
import { boundedFor, readSoon } from '../record/read/read-soon.ts';
import { selectPage } from '../record/read/read.sql.ts';
import { countDays, countRecords, type Days, onDays } from './aggregation.sql.ts';

type Query = QueryOf<typeof endpoint>;

const mostRecords = 1_000;
const longest = 400 * 86_400_000;

const dateField = (sight: Sight, query: Query, key: 'startDateFieldId' | 'endDateFieldId'): FieldSchema => {
  const field = sight.byId.get(query[key]);
  const cells = field === undefined ? undefined : cellTypeOf(field);
  if (field === undefined || cells?.kind !== 'date' || cells.isMultiple)
    throw invalid({
      path: `query.${key}`,
      message: `${query[key].slice(0, 50)} is not a date field of this table`,
      expected: 'the id of a field with one date per cell',
    });
  return field;
};

/** A day without a time is its beginning in UTC. */
const moment = (query: Query, key: 'startDate' | 'endDate'): Date => {
  const text = query[key];
  const found = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text);
  if (found === null)
    throw invalid({
      path: `query.${key}`,
      message: 'Expected a date such as 2024-01-31T00:00:00Z',
      expected: 'an ISO 8601 date',
    });
  return found;
};

const daysOf = (sight: Sight, query: Query): Days => {
  const start = dateField(sight, query, 'startDateFieldId');
  const days = {
    start,
    end: dateField(sight, query, 'endDateFieldId'),
    zone: zoneOf(start) ?? 'UTC',
    from: moment(query, 'startDate'),
    until: moment(query, 'endDate'),
  };
  if (days.until.getTime() - days.from.getTime() > longest)
    throw invalid({
      path: 'query.endDate',
      message: 'The days are more than 400',
      expected: 'a day that is at most 400 days after startDate',
    });
  return days;
};

/** The answer as JSON text. */
export const getCalendarDays = (request: Unconfirmed, query: Query): Promise<string> =>
  guardedRead(request, async (context, sight) => {
    const { visible, where, keys, deciding } = queryFor(sight, query);
    const days = daysOf(sight, query);
    const found = all([where, onDays(days)]);
    const db = boundedFor(context.db, [...deciding, days.start, days.end]);
    const countMap = await countDays(db, sight, days, found);
    const { count: total } = await countRecords(db, sight, found);
    const shape = { fields: visible, keyType: 'id', format: 'json' } as const;
    const page = await readSoon(context.db, sight, shape, (soon, shown) =>
      selectPage(soon, sight, shown, {
        take: query.take ?? mostRecords,
        skip: query.skip ?? 0,
        where: found,
        keys,
        after: null,
        search: null,
        plain: null,
        prepare: 'never',
      }),
    );
    return {
      facts: page,
      value: `{"countMap":${JSON.stringify(countMap)},"records":[${page.records ?? ''}],"total":${total}}`,
    };
  });
