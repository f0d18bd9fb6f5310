// GET /share/:shareId/view/link-records
import type { IncomingHttpHeaders } from 'node:http';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden } from '@rowhouse/contract/error.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { listShareLinkRecords as endpoint } from '@rowhouse/contract/share.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { PublicContext } from '../../context.ts';
import type { Sql } from '../../db/sql.ts';
import { guardedRead, seen, tableBeside, type TableContext } from '../../pipeline/pipeline.ts';
import { isLink, type Linked, linkedBy } from '../cell/linked.sql.ts';
import { type OpenShare, openShare } from './open-share.ts';
import { candidateWhere, type LinkRecord, noCandidates, selectedWhere, selectLinkRecords } from './share-links.sql.ts';

export const linkOf = ({ byId }: Sight, fieldId: string): Linked | undefined => {
  const field = byId.get(fieldId);
  return field === undefined || !isLink(field) ? undefined : linkedBy(field);
};

/** What the options of a link allow to be chosen. Nothing while the share is held: then they allow more than when it was made. */
export const candidatesOf = async (context: TableContext, { isHeld }: OpenShare, sight: Sight, linked: Linked): Promise<Sql | null> => {
  if (isHeld()) return noCandidates;
  const { filterByViewId, filter } = linked.field.options as { filterByViewId?: string | null; filter?: FilterGroup | null };
  const view = typeof filterByViewId === 'string' ? (await tableBeside(context, linked.foreign.baseId, linked.foreign.id)).views.find(({ id }) => id === filterByViewId) : undefined;
  return candidateWhere(sight, linked, [filter ?? null, (view?.filter ?? null) as FilterGroup | null]);
};

export const listShareLinkRecords = async (services: PublicContext, shareId: string, headers: IncomingHttpHeaders, query: QueryOf<typeof endpoint>): Promise<LinkRecord[]> => {
  const open = await openShare(services, shareId, headers);
  const { context, view } = open;
  return guardedRead({ unconfirmed: context }, async (present, sight) => {
    const linked = linkOf(sight, query.fieldId);
    if (linked === undefined) throw forbidden('The share shows no such link');
    const where = view.type === 'form' ? await candidatesOf(present, open, sight, linked) : selectedWhere(sight, linked);
    return seen(present, sight, await selectLinkRecords(present.db, linked, where, { search: query.search, take: query.take ?? 100, skip: query.skip ?? 0 }));
  });
};
