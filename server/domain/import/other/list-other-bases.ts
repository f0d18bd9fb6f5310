// POST /base/import-from/bases
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, invalid } from '@rowhouse/contract/error.ts';
import type { listOtherBases as endpoint } from '@rowhouse/contract/import-from.ts';
import type { Context } from '../../../context.ts';
import { GiveUp } from '../../../work/job.ts';
import { demandAccess } from '../../collaborator/demand-access.ts';
import { airtableUrl } from './airtable.ts';
import { type Asking, fetchJson } from './fetch-json.ts';
import { isObject, listOf } from './model.ts';

const namesIn = (bases: unknown): { id: string; name: string }[] =>
  listOf(bases).flatMap((base) =>
    isObject(base) && typeof base['id'] === 'string'
      ? [{ id: base['id'], name: typeof base['name'] === 'string' ? base['name'] : base['id'] }]
      : [],
  );

/** Seconds for all of it: somebody waits. */
const patience = 30;

/** Airtable tells a thousand at a time. */
const mostPages = 20;

const askAirtable = async (asking: Asking): Promise<{ id: string; name: string }[]> => {
  const found: { id: string; name: string }[] = [];
  let offset: unknown = '';
  for (let page = 0; offset !== undefined && page < mostPages; page += 1) {
    const answer: Record<string, unknown> = await fetchJson(
      asking,
      `/v0/meta/bases${offset === '' ? '' : `?offset=${encodeURIComponent(String(offset))}`}`,
    );
    found.push(...namesIn(answer['bases']));
    ({ offset } = answer);
  }
  return found;
};

export const listOtherBases = async (
  context: Context,
  { spaceId, source }: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  await demandAccess(context.db, context, { type: 'space', id: spaceId, trashed: false }, 'base|create');
  const how = { anywhere: context.config.fetchPrivate, signal: AbortSignal.timeout(patience * 1_000), tries: 1 };
  try {
    if (source.type === 'airtable')
      return { bases: await askAirtable({ ...how, url: airtableUrl(source.url), token: source.apiKey }) };
    return {
      bases: namesIn(
        await fetchJson({ ...how, url: source.url.replace(/\/+$/, ''), token: source.token }, '/api/base/access/all'),
      ),
    };
  } catch (error) {
    if (how.signal.aborted || error instanceof GiveUp || error instanceof ApiError)
      throw invalid({
        path: 'source',
        message: how.signal.aborted ? `it took longer than ${patience} seconds` : (error as Error).message,
        expected: 'the address of the service, and a key that it takes',
      });
    throw error;
  }
};
