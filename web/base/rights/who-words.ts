// Why somebody sees something, or does not, in one or two sentences.
import type { whoSees } from '@rowhouse/contract/rights-explained.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';

type WhoPerson = ResponseOf<typeof whoSees>['people'][number];

const unique = (list: readonly string[]): string[] => [...new Set(list)];

const roleWords = ({ roleName, groups }: WhoPerson['considered'][number]): string =>
  groups.length === 0 ? roleName : `${roleName} (by ${groups.join(', ')})`;

const without = {
  noTable: 'does not have this table',
  noRead: 'does not read records',
  noField: 'does not have this field',
  condition: 'is for other records: the condition does not hold for this one',
} as const;

const sourceWords = ({ tableName, fieldName, always }: WhoPerson['hiddenBy'][number]): string =>
  fieldName === undefined
    ? `${always ? 'the records' : 'some records'} of ${tableName}`
    : `${tableName}, ${fieldName}${always ? '' : ' in some records'}`;

export const sourcesWords = (hiddenBy: WhoPerson['hiddenBy']): string => unique(hiddenBy.map(sourceWords)).join('; ');

/** The field is granted, and what it is computed from is not. */
const hiddenWords = ({ hiddenBy }: WhoPerson): string[] =>
  hiddenBy.length === 0 ? [] : [`Computed from what they do not see: ${sourcesWords(hiddenBy)}.`];

const refusedWords = ({ considered }: WhoPerson): string[] => {
  const reasons = considered.flatMap((one) =>
    one.obstacle === undefined ? [] : [`${roleWords(one)} ${without[one.obstacle]}`],
  );
  return unique(reasons).map((reason) => `${reason}.`);
};

const credentialWords = ({ sees, credentials: { tokens, applications } }: WhoPerson): string[] => {
  const named = [
    ...(tokens === 0 ? [] : [tokens === 1 ? 'an access token' : `${tokens} access tokens`]),
    ...applications,
  ];
  return sees === 'none' || named.length === 0 ? [] : [`Also through ${named.join(', ')}.`];
};

const standingWords = (person: WhoPerson): string[] => {
  switch (person.standing) {
    case 'off':
      return ['Rights are off: every member sees everything.'];
    case 'owner':
      return ['Owner of the space.'];
    case 'administrator':
      return ['Administrator of the rights.'];
    case 'noRole':
      return ['Has no role, and there is no default role.'];
    default: {
      if (person.sees === 'none') return [...hiddenWords(person), ...refusedWords(person)];
      const showing = person.considered.filter(({ obstacle }) => obstacle === undefined);
      const isForAll = showing.some(({ when }) => when == null);
      const by = unique(showing.map(roleWords)).join(', ');
      return [
        `By ${by}${person.standing === 'defaultRole' ? ', the default role' : ''}${person.sees === 'some' && !isForAll ? ', where its condition holds' : ''}.`,
        ...hiddenWords(person),
      ];
    }
  }
};

export const reasonsOf = (person: WhoPerson): string[] => [...standingWords(person), ...credentialWords(person)];
