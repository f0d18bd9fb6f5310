// Scopes in words: what a token with them may do.
import { type Action, actions } from '@rowhouse/contract/permission.ts';

export interface ScopeGroup {
  title: string;
  scopes: { action: Action; words: string }[];
}

const verbs: Record<string, string> = {
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

const titles: Record<string, string> = {
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

export const scopeGroups: readonly ScopeGroup[] = Object.entries(titles).map(([noun, title]) => ({
  title,
  scopes: actions
    .filter((action) => action.split('|')[0] === noun)
    .map((action) => ({ action, words: verbs[action.split('|')[1] as string] ?? action })),
}));

/** The groups, with only those scopes that are offered somewhere. */
export const scopeGroupsOf = (offered: readonly Action[]): ScopeGroup[] =>
  scopeGroups
    .map(({ title, scopes }) => ({ title, scopes: scopes.filter(({ action }) => offered.includes(action)) }))
    .filter(({ scopes }) => scopes.length > 0);

/** What an application asks for or has, a line for each kind of thing: nothing is summed up where someone decides. */
export const scopeLines = (scopes: readonly string[]): { title: string; words: string }[] =>
  scopeGroups.flatMap(({ title, scopes: group }) => {
    const held = group.filter(({ action }) => scopes.includes(action));
    return held.length === 0 ? [] : [{ title, words: held.map(({ words }) => words.toLowerCase()).join(', ') }];
  });

export const scopesInWords = (scopes: readonly string[]): string => {
  if (scopes.length >= actions.length) return 'Full access';
  return scopeGroups
    .flatMap(({ title, scopes: group }) => {
      const held = group.filter(({ action }) => scopes.includes(action));
      return held.length === 0
        ? []
        : [
            `${title}: ${held.length === group.length ? 'everything' : held.map(({ words }) => words.toLowerCase()).join(', ')}`,
          ];
    })
    .join('; ');
};
