// Scopes in words: what a token with them may do.
import { type Action, actions } from '@rowhouse/contract/permission.ts';
import { scopeNouns, scopeVerbs } from '@rowhouse/contract/scope.ts';

export interface ScopeGroup {
  title: string;
  scopes: { action: Action; words: string }[];
}

export const scopeGroups: readonly ScopeGroup[] = Object.entries(scopeNouns).map(([noun, title]) => ({
  title,
  scopes: actions
    .filter((action) => action.split('|')[0] === noun)
    .map((action) => ({ action, words: scopeVerbs[action.split('|')[1] as string] ?? action })),
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
