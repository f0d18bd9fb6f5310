// GET /share/:shareId/view/calendar-daily-collection
import type { IncomingHttpHeaders } from 'node:http';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import type { getShareCalendar as endpoint } from '@rowhouse/contract/share.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { zoneOf } from '../../catalog/usable-zone.ts';
import type { PublicContext } from '../../context.ts';
import type { Answer } from '../../endpoint/route.ts';
import { guardedRead, seen } from '../../pipeline/pipeline.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { queryFor } from '../record/read/list-records.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import { shapeOf } from '../record/read/shape.ts';
import { countDays, selectInDays } from './calendar.sql.ts';
import { openShare, shareAnswer } from './open-share.ts';

const mostRecords = 1_000;
const mostDays = 400;
const dayLong = 86_400_000;

const dateField = ({ byId }: Sight, fieldId: string, path: string): FieldSchema => {
  const field = byId.get(fieldId);
  const isDate = field !== undefined && kindOf(filterFieldOf(field)) === 'date' && !filterFieldOf(field).isMultiple;
  if (!isDate) throw invalid({ path: `query.${path}`, message: `The share shows no date field ${JSON.stringify(fieldId.slice(0, 100))}`, expected: 'the id of a date field that it shows' });
  return field;
};

const momentOf = (text: string, path: string): number => {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalid({ path: `query.${path}`, message: `${JSON.stringify(text)} is not a moment`, expected: 'ISO 8601, such as 2026-01-31T00:00:00Z' });
  return time;
};

export const getShareCalendar = async (services: PublicContext, shareId: string, headers: IncomingHttpHeaders, query: QueryOf<typeof endpoint>): Promise<Answer> => {
  const open = await openShare(services, shareId, headers);
  const { viewId } = open.share;
  const [from, until] = [momentOf(query.startDate, 'startDate'), momentOf(query.endDate, 'endDate')];
  if (until - from > mostDays * dayLong) throw invalid({ path: 'query.endDate', message: `Expected at most ${mostDays} days`, expected: `at most ${mostDays} days after startDate` });
  const text = await guardedRead({ unconfirmed: open.context }, async (present, sight) => {
    const start = dateField(sight, query.startDateFieldId, 'startDateFieldId');
    const days = { start, end: dateField(sight, query.endDateFieldId, 'endDateFieldId'), zone: zoneOf(start) ?? 'UTC', from: new Date(from).toISOString(), until: new Date(until).toISOString() };
    const { where, visible } = queryFor(sight, { viewId, filter: query.filter, search: query.search });
    const counted = await countDays(present.db, sight, days, where);
    const ids = await selectInDays(present.db, sight, days, where, mostRecords);
    const found = new Map((await selectRecords(present.db, sight, ids, shapeOf(sight, { fieldKeyType: 'id' }, visible))).map(({ id, json }) => [id, `${json}}`]));
    const records = ids.flatMap((id) => found.get(id) ?? []);
    return seen(present, sight, `{"countMap":${JSON.stringify(Object.fromEntries(counted.map(({ day, count }) => [day, count])))},"records":[${records.join(',')}]}`);
  });
  return shareAnswer(open, text);
};
