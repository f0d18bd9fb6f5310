// Who may do what: actions, roles, and the matrix between them. A token's scopes are action names too.

export const roles = ['owner', 'creator', 'editor', 'commenter', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Roles that can be given on a base alone: everything but owner. */
export const baseRoles = ['creator', 'editor', 'commenter', 'viewer'] as const;

const owner: readonly Role[] = ['owner'];
const creator: readonly Role[] = ['owner', 'creator'];
const editor: readonly Role[] = ['owner', 'creator', 'editor'];
const commenter: readonly Role[] = ['owner', 'creator', 'editor', 'commenter'];
const everyone: readonly Role[] = roles;

export const matrix = {
  'space|create': everyone,
  'space|delete': owner,
  'space|read': everyone,
  'space|update': owner,
  'space|invite_email': everyone,
  'space|invite_link': creator,
  'space|grant_role': owner,
  'space|audit_read': owner,
  'base|create': creator,
  'base|delete': creator,
  'base|read': everyone,
  'base|read_all': everyone,
  'base|update': creator,
  'base|invite_email': everyone,
  'base|invite_link': creator,
  'base|table_import': editor,
  'base|table_export': everyone,
  'base|authority_matrix_config': creator,
  'base|db_connection': owner,
  'base|query_data': creator,
  'table|create': creator,
  'table|delete': creator,
  'table|read': everyone,
  'table|update': creator,
  'table|import': creator,
  'table|export': everyone,
  'table|trash_read': editor,
  'table|trash_update': editor,
  'table|trash_reset': owner,
  'view|create': editor,
  'view|delete': editor,
  'view|read': everyone,
  'view|update': editor,
  'view|share': editor,
  'field|create': creator,
  'field|delete': creator,
  'field|read': everyone,
  'field|update': creator,
  'record|create': editor,
  'record|delete': editor,
  'record|read': everyone,
  'record|update': editor,
  'record|comment': commenter,
  'automation|create': creator,
  'automation|delete': creator,
  'automation|read': everyone,
  'automation|update': creator,
  'user|email_read': everyone,
  'table_record_history|read': editor,
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof matrix;

export const actions = Object.keys(matrix) as Action[];

export const allows = (role: Role, action: Action): boolean => (matrix[action] as readonly Role[]).includes(role);

/** Lower is mightier: owner 0 … viewer 4. */
export const rank = (role: Role): number => roles.indexOf(role);

export const mightierOf = (one: Role | null, other: Role | null): Role | null => {
  if (one === null || other === null) return one ?? other;
  return rank(one) <= rank(other) ? one : other;
};
