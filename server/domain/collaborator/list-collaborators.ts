import type { listSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { Context } from '../../context.ts';
import { type BaseUser, type CollaboratorRow, countBaseUsers, countCollaborators, selectBaseUsers, selectCollaborators } from './collaborator-list.sql.ts';
import type { Place } from './collaborator.sql.ts';
import { isBillable } from './role-rules.ts';

export interface ListQuery {
  includeBase?: boolean;
  skip?: number;
  take?: number;
  search?: string;
  type?: 'user' | 'department';
  orderBy?: 'asc' | 'desc';
}

type List = ResponseOf<typeof listSpaceCollaborators>;

const shown = (row: CollaboratorRow, place: Place): List['collaborators'][number] => ({
  userId: row.userId,
  userName: row.userName,
  email: row.email,
  avatar: row.avatar,
  role: row.role,
  createdTime: row.createdTime,
  type: 'user',
  resourceType: row.resourceType,
  billable: isBillable(row.role),
  ...(place.type === 'space' && row.baseId !== null ? { base: { id: row.baseId, name: row.baseName as string } } : {}),
});

export const listCollaborators = async (context: Context, place: Place, query: ListQuery): Promise<List> => {
  if (query.type === 'department') return { collaborators: [], total: 0, uniqTotal: 0 };
  const includeBase = query.includeBase ?? false;
  const page = { skip: query.skip ?? 0, take: query.take ?? 50, search: query.search, orderBy: query.orderBy ?? 'asc' } as const;
  const rows = await selectCollaborators(context.db, place, includeBase, page);
  const counts = await countCollaborators(context.db, place, includeBase, query.search);
  return { collaborators: rows.map((row) => shown(row, place)), total: counts.total, uniqTotal: counts.uniqTotal };
};

export const listBaseUsers = async (context: Context, baseId: string, query: ListQuery): Promise<{ users: BaseUser[]; total: number }> => {
  const page = { skip: query.skip ?? 0, take: query.take ?? 50, search: query.search, orderBy: query.orderBy ?? 'asc' } as const;
  const users = await selectBaseUsers(context.db, baseId, page);
  return { users, total: await countBaseUsers(context.db, baseId, query.search) };
};
