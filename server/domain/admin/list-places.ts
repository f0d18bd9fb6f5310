import type {
  listAdminBases,
  listAdminSpaces,
  listBaseSizes as sizesEndpoint,
} from '@rowhouse/contract/admin-space.ts';
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { timeOf, timeOrNull } from './page.sql.ts';
import { type BaseFilter, selectBasePage, selectSpacePage } from './place.sql.ts';

export const listSpaces = async (
  { db, principal }: Context,
  query: QueryOf<typeof listAdminSpaces>,
): Promise<ResponseOf<typeof listAdminSpaces>> => {
  const { data, ...paged } = await selectSpacePage(db, query);
  return {
    data: data.map((row) => ({
      ...row,
      createdTime: timeOf(row.createdTime),
      deletedTime: timeOrNull(row.deletedTime),
      lastUsedTime: timeOrNull(row.lastUsedTime),
      owners: row.owners.map((owner) => ({ ...owner, email: shownEmail(principal, owner.email) })),
    })),
    ...paged,
  };
};

export const listBases = async (
  { db }: Pick<Context, 'db'>,
  filter: BaseFilter,
): Promise<ResponseOf<typeof listAdminBases>> => {
  const { data, ...paged } = await selectBasePage(db, filter);
  return {
    data: data.map((row) => ({
      ...row,
      createdTime: timeOf(row.createdTime),
      lastUsedTime: timeOrNull(row.lastUsedTime),
    })),
    ...paged,
  };
};

/** The same for the owners of a space, where the plan has it. */
export const listBaseSizes = (
  context: Context,
  spaceId: string,
  query: QueryOf<typeof sizesEndpoint>,
): Promise<ResponseOf<typeof sizesEndpoint>> => {
  demandFeature(context, 'adminPanelEnable');
  return listBases(context, { ...query, spaceId });
};
