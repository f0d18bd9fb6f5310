import { rank, type Role, roles } from '@rowhouse/contract/permission.ts';

export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  creator: 'Creator',
  editor: 'Editor',
  commenter: 'Commenter',
  viewer: 'Viewer',
};

export const roleWords: Record<Role, string> = {
  owner: 'Owner: everything',
  creator: 'Creator: tables, fields, records',
  editor: 'Editor: records and views',
  commenter: 'Commenter: reads and comments',
  viewer: 'Viewer: reads',
};

/** Nobody gives more than they have. */
export const rolesUpTo = (own: Role): Role[] => roles.filter((role) => rank(role) >= rank(own));
