// Lists, counts and statistics of a share: those of its table, through its view and by its sight.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, forbidden, type Issue } from '@rowhouse/contract/error.ts';
import type { PublicContext, Unconfirmed } from '../../context.ts';
import type { Answer } from '../../endpoint/route.ts';
import { getAggregation } from '../aggregation/get-aggregation.ts';
import { getCalendarDays } from '../aggregation/get-calendar-days.ts';
import { getGroupPoints } from '../aggregation/get-group-points.ts';
import { getRowCount } from '../aggregation/get-row-count.ts';
import { getSearchCount, getSearchIndex } from '../aggregation/search-hits.ts';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import type {
  getShareCalendar as calendarEndpoint,
  listShareRecords as listEndpoint,
} from '@rowhouse/contract/share.ts';
import type { Asked } from '../query/resolve-query.ts';
import { listRecords } from '../record/read/list-records.ts';
import { openShare, shareAnswer } from './open-share.ts';

interface Through {
  viewId: string;
  /** The share shows records. */
  showsRecords: boolean;
}

type Query = QueryOf<typeof listEndpoint>;

type Read<Q> = (request: Unconfirmed, asked: Q & { viewId: string }, through: Through) => Promise<string>;

/** Whatever else a client names, it is this view, with its filter, and no cell of another table. */
export const throughView = <Q extends object>(query: Q, viewId: string): Q & { viewId: string } => {
  const {
    ignoreViewQuery: _ignore,
    filterLinkCellCandidate: _candidate,
    filterLinkCellSelected: _selected,
    ...rest
  } = query as Q & Partial<Asked>;
  return { ...rest, viewId } as Q & { viewId: string };
};

const isAboutGroups = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 'validation_error' &&
  ((error.data as { issues?: Issue[] } | undefined)?.issues?.[0]?.path.startsWith('groupBy') ?? false);

const reading =
  <Q extends object = Query>(read: Read<Q>) =>
  async (services: PublicContext, shareId: string, headers: IncomingHttpHeaders, query: Q): Promise<Answer> => {
    const open = await openShare(services, shareId, headers);
    const { viewId } = open.share;
    try {
      return await shareAnswer(
        open,
        await read({ unconfirmed: open.context }, throughView(query, viewId), {
          viewId,
          showsRecords: open.meta.includeRecords === true,
        }),
      );
    } catch (error) {
      // As Teable has it, whether there is no such field or it is hidden.
      throw isAboutGroups(error) ? forbidden('The share does not show a field that it is to be grouped by') : error;
    }
  };

const json = async (made: Promise<unknown>): Promise<string> => JSON.stringify(await made);

export const listShareRecords = reading(async (request, asked) => (await listRecords(request, asked)).text);
export const getShareAggregations = reading((request, asked, { showsRecords }) =>
  showsRecords ? json(getAggregation(request, asked)) : json(Promise.resolve({ aggregations: [] })),
);
export const getShareRowCount = reading((request, asked) => json(getRowCount(request, asked)));
export const getShareGroupPoints = reading((request, asked) => json(getGroupPoints(request, asked)));
export const getShareSearchCount = reading((request, asked) => json(getSearchCount(request, asked)));
export const getShareSearchIndex = reading((request, asked) => json(getSearchIndex(request, asked)));
export const getShareCalendar = reading<QueryOf<typeof calendarEndpoint>>((request, asked) =>
  getCalendarDays(request, asked),
);
