// What a directory says of a group, as a whole resource or as changes.
import { ScimFault } from './scim-fault.ts';
import { attributeOf, isObject, plainPath, readOperations } from './read-user.ts';

type Json = Record<string, unknown>;

interface SaidOfGroup {
  displayName: string;
  externalId: string | null;
  memberIds: string[];
}

export type GroupChange =
  | { kind: 'name'; displayName: string }
  | { kind: 'externalId'; externalId: string | null }
  | { kind: 'add' | 'remove' | 'set'; memberIds: string[] };

const mostMembers = 10_000;

const nameOf = (value: unknown): string => {
  const plain = typeof value === 'string' ? value.trim() : '';
  if (plain === '' || plain.length > 100 || plain.includes('\0') || !plain.isWellFormed())
    throw new ScimFault(400, 'displayName must be a text of 1 to 100 characters', 'invalidValue');
  return plain;
};

const externalIdOf = (value: unknown): string | null => {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > 255 || value.includes('\0'))
    throw new ScimFault(400, 'externalId must be a text of at most 255 characters', 'invalidValue');
  return value;
};

const memberIdsIn = (value: unknown): string[] => {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > mostMembers) throw new ScimFault(400, `At most ${mostMembers} members at once`, 'invalidValue');
  return list.map((one: unknown) => {
    const id = isObject(one) ? attributeOf(one, 'value') : one;
    if (typeof id !== 'string' || id.length > 100)
      throw new ScimFault(400, 'members must have a value: the id of a person', 'invalidValue');
    return id;
  });
};

export const readGroup = (body: Json): SaidOfGroup => ({
  displayName: nameOf(attributeOf(body, 'displayName')),
  externalId: externalIdOf(attributeOf(body, 'externalId')),
  memberIds: memberIdsIn(attributeOf(body, 'members')),
});

const memberPath = /^members\[\s*value\s+eq\s+"([^"\\]{1,100})"\s*\]$/i;

const changeAt = (op: string, path: string, value: unknown): GroupChange | undefined => {
  const [, memberId] = memberPath.exec(path.trim()) ?? [];
  if (memberId !== undefined) {
    if (op !== 'remove') throw new ScimFault(400, `${path} can only be removed`, 'invalidPath');
    return { kind: 'remove', memberIds: [memberId] };
  }
  switch (plainPath(path)) {
    case 'members':
      if (op === 'replace') return { kind: 'set', memberIds: memberIdsIn(value) };
      // Without a value: all of them.
      if (op === 'remove' && value === undefined) return { kind: 'set', memberIds: [] };
      return { kind: op === 'add' ? 'add' : 'remove', memberIds: memberIdsIn(value) };
    case 'displayname':
      return { kind: 'name', displayName: nameOf(value) };
    case 'externalid':
      return { kind: 'externalId', externalId: op === 'remove' ? null : externalIdOf(value) };
    case 'id':
    case 'schemas':
    case 'meta':
      return undefined;
    default:
      throw new ScimFault(400, `A group has no ${path}`, 'invalidPath');
  }
};

export const readGroupChanges = (body: Json): GroupChange[] =>
  readOperations(body).flatMap(({ op, path, value }) => {
    if (path === undefined && !isObject(value))
      throw new ScimFault(400, 'Without a path the value must be an object', 'invalidSyntax');
    const pairs: [string, unknown][] = path === undefined ? Object.entries(value as Json) : [[path, value]];
    return pairs.map(([at, inner]) => changeAt(op, at, inner)).filter((change) => change !== undefined);
  });
