// Scopes of tokens in words.
import type { Action } from './permission.ts';

/** What may be done, by the second half of a scope. */
export const scopeVerbs: Record<string, string> = {
  create: 'Create',
  delete: 'Delete',
  read: 'Read',
  read_all: 'List all',
  update: 'Change',
  invite_email: 'Invite by e-mail',
  invite_link: 'Make invitation links',
  grant_role: 'Change roles',
  table_import: 'Import tables',
  table_export: 'Export tables',
  import: 'Import',
  export: 'Export',
  share: 'Share',
  comment: 'Comment',
  query_data: 'Query data',
  db_connection: 'Connect to the database',
  authority_matrix_config: 'Configure permissions',
  trash_read: 'See the trash',
  trash_update: 'Restore from the trash',
  trash_reset: 'Empty the trash',
  email_read: 'See your e-mail address',
  audit_read: 'Read the audit log',
};

/** What it may be done with, by the first half. */
export const scopeNouns: Record<string, string> = {
  record: 'Records',
  table: 'Tables',
  field: 'Fields',
  view: 'Views',
  base: 'Bases',
  space: 'Spaces',
  table_record_history: 'History',
  user: 'Account',
  automation: 'Automations',
};

/** One line: "Records: change". */
export const scopeMeaning = (scope: Action): string => {
  const [noun = '', verb = ''] = scope.split('|');
  return `${scopeNouns[noun] ?? noun}: ${(scopeVerbs[verb] ?? verb).toLowerCase()}`;
};
