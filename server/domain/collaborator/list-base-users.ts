import type { Context } from '../../context.ts';
import { type BaseUser, countBaseUsers, selectBaseUsers } from './collaborator-list.sql.ts';
import type { ListQuery } from './list-collaborators.ts';

export const listBaseUsers = async (context: Context, baseId: string, query: ListQuery): Promise<{ users: BaseUser[]; total: number }> => {
  const page = { skip: query.skip ?? 0, take: query.take ?? 50, search: query.search, orderBy: query.orderBy ?? 'asc' } as const;
  const users = await selectBaseUsers(context.db, baseId, page);
  return { users, total: await countBaseUsers(context.db, baseId, query.search) };
};
