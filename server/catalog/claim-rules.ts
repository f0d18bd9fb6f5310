// Which groups somebody is in by what a provider says of them: rules of the operator, each from a value of one claim to a group.
import { roles, type Role } from '@rowhouse/contract/permission.ts';
import { type Static, Type } from 'typebox';
import { SettingError } from '../config-value.ts';

const word = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** A name is one claim, also with dots in it; a list is the way into a claim that has parts. */
export const groupsClaim = Type.Union([word(200), Type.Array(word(200), { minItems: 1, maxItems: 5 })]);

export const groupRule = Type.Object(
  {
    value: word(500),
    /** A group that is there. */
    group: Type.Optional(Type.String({ pattern: '^odp[0-9A-Za-z]{1,60}$' })),
    /** Or one at the top of this space with this name, which is made when it is missing. */
    space: Type.Optional(Type.String({ pattern: '^spc[0-9A-Za-z]{1,60}$' })),
    name: Type.Optional(word(100)),
    /** What such a group may do in the space when it is made. */
    role: Type.Optional(Type.Enum([...roles])),
  },
  { additionalProperties: false },
);

export type GroupRule = { value: string } & (
  | { kind: 'id'; groupId: string }
  | { kind: 'name'; spaceId: string; name: string; role: Role | null }
);

export const readRule = ({ value, group, space, name, role }: Static<typeof groupRule>): GroupRule => {
  const place = `groups: the rule for ${JSON.stringify(value)}`;
  if (group !== undefined) {
    if (space !== undefined || name !== undefined || role !== undefined)
      throw new SettingError(`${place} names a group by its id, and needs neither space nor name nor role`);
    return { kind: 'id', value, groupId: group };
  }
  if (space === undefined || name === undefined)
    throw new SettingError(`${place} needs "group", or "space" and "name"`);
  if (role === 'owner') throw new SettingError(`${place} cannot make owners: people own spaces, not groups`);
  return { kind: 'name', value, spaceId: space, name: name.trim(), role: role ?? null };
};

/** What the claim says. Null: it is not there. */
export const claimedValues = (claims: Record<string, unknown>, path: readonly string[]): string[] | null => {
  let at: unknown = claims;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return null;
    at = (at as Record<string, unknown>)[name];
  }
  if (at === undefined || at === null) return null;
  return (Array.isArray(at) ? at : [at]).filter((value): value is string => typeof value === 'string');
};
