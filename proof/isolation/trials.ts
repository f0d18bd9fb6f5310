// Every request of one tenant with an id of the other, each id in turn, beside the same request with an id of nothing.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { unknown } from '../../test/support/access-tenant.ts';
import type { Request } from '../../test/support/access-walk.ts';
import type { Estate, Holdings } from '../estate.ts';
import { requestsFor } from '../requests.ts';

export interface Trial {
  endpoint: Declaration;
  /** Which ids were swapped. */
  swapped: string;
  foreign: Request;
  absent: Request;
}

/** What anyone may name, and what stands for no thing but a place in a list. */
const handouts = [
  'personId',
  'email',
  'password',
  'newPassword',
  'openInvitationId',
  'openInvitationCode',
  'clientSecret',
  'code',
  'shareId',
];
const cursors = ['recordCursor', 'historyCursor'];

const isThing = (key: string): boolean => !handouts.includes(key) && !cursors.includes(key);

/** Here anyone with an account may be named by id, as collaborators are. */
const namesAnyone: Record<string, string[]> = { setAuthorityRoleMembers: ['memberId'] };

const swap = (mine: Holdings, keys: readonly string[], other: (key: keyof Holdings) => string): Holdings => {
  const swapped = Object.fromEntries(keys.map((key) => [key, other(key as keyof Holdings)]));
  return { ...mine, ...swapped };
};

export const trialsFor = (endpoint: Declaration, mine: Estate, theirs: Estate): Trial[] => {
  const anyone = namesAnyone[endpoint.name] ?? [];
  const keys = Object.keys(mine.things).filter((key) => isThing(key) && !anyone.includes(key));
  const places = ['spaceId', 'baseId', 'tableId'];
  const groups: [label: string, keys: string[]][] = [
    ...keys.map((key): [string, string[]] => [key, [key]]),
    ['what stands in them', keys.filter((key) => !places.includes(key))],
    ['everything', keys],
  ];
  const own = requestsFor(endpoint, mine.things).map((request) => JSON.stringify(request));
  const absentIds = Object.fromEntries(keys.map((key) => [key, unknown(mine.things[key as keyof Holdings])]));
  return groups.flatMap(([swapped, some]) => {
    const foreign = requestsFor(
      endpoint,
      swap(mine.things, some, (key) => theirs.things[key]),
    );
    const absent = requestsFor(
      endpoint,
      swap(mine.things, some, (key) => absentIds[key] as string),
    );
    return foreign.flatMap((request, at) => {
      if (JSON.stringify(request) === own[at]) return [];
      return [
        {
          endpoint,
          swapped: `${swapped}${at === 0 ? '' : ` (request ${at})`}`,
          foreign: request,
          absent: absent[at] as Request,
        },
      ];
    });
  });
};

/** Their places in lists, given to lists of one's own. */
export const cursorTrials = (endpoint: Declaration, mine: Estate, theirs: Estate): Request[] => {
  const own = requestsFor(endpoint, mine.things).map((request) => JSON.stringify(request));
  return requestsFor(
    endpoint,
    swap(mine.things, cursors, (key) => theirs.things[key]),
  ).filter((request, at) => JSON.stringify(request) !== own[at]);
};
