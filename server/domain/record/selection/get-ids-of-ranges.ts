// GET /table/:tableId/selection/range-to-id
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { getIdsOfRanges as endpoint } from '@rowhouse/contract/selection.ts';
import type { Unconfirmed } from '../../../context.ts';
import { guardedRead, seen } from '../../../pipeline/pipeline.ts';
import { areaOf, isWithin, readRangesText } from './ranges.ts';
import { clipped, show } from './select.ts';

const maxRows = 10_000;

export const getIdsOfRanges = (
  request: Unconfirmed,
  query: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> =>
  guardedRead(request, async (context, sight) => {
    const { columns, rows } = areaOf(readRangesText(query.ranges, query.type), query.type);
    const shown = show(context.db, sight, query, query);
    const answer: ResponseOf<typeof endpoint> = {};
    if (query.returnType !== 'fieldId') {
      answer.recordIds = await shown.idsOf(clipped(rows, maxRows));
      if (answer.recordIds.length > maxRows)
        throw invalid({
          path: 'query.ranges',
          message: `The ranges hold more than ${maxRows} records`,
          expected: `at most ${maxRows} records`,
        });
    }
    if (query.returnType !== 'recordId')
      answer.fieldIds = shown.columns.filter((_field, place) => isWithin(place, columns)).map(({ id }) => id);
    return seen(context, sight, answer);
  });
