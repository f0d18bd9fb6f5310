import type { listBaseUsers as usersEndpoint, listSpaceCollaborators } from '@rowhouse/contract/collaborator.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { eyesOf, shownEmail } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import {
  type CollaboratorRow,
  type Kind,
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
  type?: Kind;
  orderBy?: 'asc' | 'desc';
}

/** By address only for those who see addresses: by what is found, letter by letter, others would learn them. */
const searchOf = ({ principal }: Context, { search = '' }: ListQuery): Search => ({
  text: search,
  inEmails: eyesOf(principal).seesEmails,
});

type List = ResponseOf<typeof listSpaceCollaborators>;

const shown = ({ principal }: Context, row: CollaboratorRow, place: Place): List['collaborators'][number] => {
  const { id, name, role, createdTime, resourceType, baseId, baseName } = row;
  const base = place.type === 'space' && baseId !== null ? { base: { id: baseId, name: baseName as string } } : {};
  return row.type === 'department'
    ? { departmentId: id, departmentName: name, role, createdTime, type: row.type, resourceType, ...base }
    : {
        userId: id,
        userName: name,
        email: shownEmail(principal, row.email ?? ''),
        avatar: row.avatar,
        role,
        createdTime,
        type: row.type,
        resourceType,
        billable: isBillable(role),
        ...base,
      };
};

export const listCollaborators = async (context: Context, place: Place, query: ListQuery): Promise<List> => {
  const which = { includeBase: query.includeBase ?? false, kind: query.type };
  const search = searchOf(context, query);
  const page = { skip: query.skip ?? 0, take: query.take ?? 50, search, orderBy: query.orderBy ?? 'asc' } as const;
  const rows = await selectCollaborators(context.db, place, which, page);
  const counts = await countCollaborators(context.db, place, which, search);
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
