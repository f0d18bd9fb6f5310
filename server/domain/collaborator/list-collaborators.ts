import type { listBaseUsers as usersEndpoint, listSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { eyesOf, shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import {
  type CollaboratorRow,
  type Search,
  countBaseUsers,
  countCollaborators,
  selectBaseUsers,
  selectCollaborators,
} from './collaborator-list.sql.ts';
import type { Place } from './collaborator.sql.ts';
import { isBillable } from './role-rules.ts';

interface ListQuery {
  includeBase?: boolean;
  skip?: number;
  take?: number;
  search?: string;
  type?: 'user' | 'department';
  orderBy?: 'asc' | 'desc';
}

/** By address only for those who see addresses: by what is found, letter by letter, others would learn them. */
const searchOf = ({ principal }: Context, { search = '' }: ListQuery): Search => ({
  text: search,
  inEmails: eyesOf(principal).seesEmails,
});

type List = ResponseOf<typeof listSpaceCollaborators>;

const shown = ({ principal }: Context, row: CollaboratorRow, place: Place): List['collaborators'][number] => ({
  userId: row.userId,
  userName: row.userName,
  email: shownEmail(principal, row.email),
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
  const search = searchOf(context, query);
  const page = { skip: query.skip ?? 0, take: query.take ?? 50, search, orderBy: query.orderBy ?? 'asc' } as const;
  const rows = await selectCollaborators(context.db, place, includeBase, page);
  const counts = await countCollaborators(context.db, place, includeBase, search);
  return {
    collaborators: rows.map((row) => shown(context, row, place)),
    total: counts.total,
    uniqTotal: counts.uniqTotal,
  };
};

export const listBaseUsers = async (
  context: Context,
  baseId: string,
  query: ListQuery,
): Promise<ResponseOf<typeof usersEndpoint>> => {
  const search = searchOf(context, query);
  const page = { skip: query.skip ?? 0, take: query.take ?? 50, search, orderBy: query.orderBy ?? 'asc' } as const;
  const users = await selectBaseUsers(context.db, baseId, page);
  return {
    users: users.map((user) => ({ ...user, email: shownEmail(context.principal, user.email) })),
    total: await countBaseUsers(context.db, baseId, search),
  };
};
