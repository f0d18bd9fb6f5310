// GET /share/:shareId/view/link-records
import type { IncomingHttpHeaders } from 'node:http';
import type { QueryOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden } from '@rowhouse/contract/error.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import type { listShareLinkRecords as endpoint } from '@rowhouse/contract/share.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { PublicContext } from '../../context.ts';
import type { Sql } from '../../db/sql.ts';
import { guardedRead, seen, type TableContext } from '../../pipeline/pipeline.ts';
import { isLink, type Linked, linkedBy } from '../cell/linked.sql.ts';
import { isLinkHeld, limitViewOf } from '../field/decision.ts';
import { selectLimitViews } from '../field/decision.sql.ts';
import { openShare } from './open-share.ts';
import { candidateWhere, type LinkRecord, noCandidates, selectedWhere, selectLinkRecords } from './share-links.sql.ts';

export const linkOf = ({ byId }: Sight, fieldId: string): Linked | undefined => {
  const field = byId.get(fieldId);
  return field === undefined || !isLink(field) ? undefined : linkedBy(field);
};

/**
 * What the options of a link allow to be chosen. Nothing while it is held: then they allow more than somebody decided. The view that limits it is of
 * another table, whose snapshot the version of this one does not cover: it is read with each request.
 */
export const candidatesOf = async (
  { db }: TableContext,
  viewId: string,
  sight: Sight,
  { field, ...linked }: Linked,
): Promise<Sql | null> => {
  const view = sight.table.views.find(({ id }) => id === viewId);
  const limits = await selectLimitViews(db, [limitViewOf(field) ?? []].flat());
  if (view === undefined || isLinkHeld(view, field, sight.table, limits)) return noCandidates;
  const { filter } = field.options as { filter?: FilterGroup | null };
  return candidateWhere(sight, { field, ...linked }, [
    filter ?? null,
    ...[...limits.values()].map((limit) => limit.filter as FilterGroup | null),
  ]);
};

export const listShareLinkRecords = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  query: QueryOf<typeof endpoint>,
): Promise<LinkRecord[]> => {
  const open = await openShare(services, shareId, headers);
  const {
    context,
    view,
    share: { viewId },
  } = open;
  return guardedRead({ unconfirmed: context }, async (present, sight) => {
    const linked = linkOf(sight, query.fieldId);
    if (linked === undefined) throw forbidden('The share shows no such link');
    const where =
      shapeOf(view.type).share === 'answers'
        ? await candidatesOf(present, viewId, sight, linked)
        : selectedWhere(sight, linked);
    return seen(
      present,
      sight,
      await selectLinkRecords(present.db, linked, where, {
        search: query.search,
        take: query.take ?? 100,
        skip: query.skip ?? 0,
      }),
    );
  });
};
