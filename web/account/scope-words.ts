// Scopes in words: what a token with them may do.
import { type Action, actions } from '@rowhouse/contract/permission.ts';

export interface ScopeGroup {
  title: string;
  scopes: { action: Action; words: string }[];
}

const verbs: Record<string, string> = {
  create: 'Create', delete: 'Delete', read: 'Read', read_all: 'List all', update: 'Change', invite_email: 'Invite by e-mail', invite_link: 'Make invitation links',
  grant_role: 'Change roles', table_import: 'Import tables', table_export: 'Export tables', import: 'Import', export: 'Export', share: 'Share', comment: 'Comment',
  query_data: 'Query data', db_connection: 'Connect to the database', authority_matrix_config: 'Configure permissions', trash_read: 'See the trash',
  trash_update: 'Restore from the trash', trash_reset: 'Empty the trash', email_read: 'See your e-mail address',
};

const titles: Record<string, string> = {
  record: 'Records', table: 'Tables', field: 'Fields', view: 'Views', base: 'Bases', space: 'Spaces', table_record_history: 'History', user: 'Account', automation: 'Automations',
};

export const scopeGroups: readonly ScopeGroup[] = Object.entries(titles).map(([noun, title]) => ({
  title,
  scopes: actions
    .filter((action) => action.split('|')[0] === noun)
    .map((action) => ({ action, words: verbs[action.split('|')[1] as string] ?? action })),
}));

export const scopesInWords = (scopes: readonly string[]): string => {
  if (scopes.length >= actions.length) return 'Everything you may do';
  return scopeGroups
    .flatMap(({ title, scopes: group }) => {
      const held = group.filter(({ action }) => scopes.includes(action));
      return held.length === 0 ? [] : [`${title}: ${held.length === group.length ? 'everything' : held.map(({ words }) => words.toLowerCase()).join(', ')}`];
    })
    .join('; ');
};
