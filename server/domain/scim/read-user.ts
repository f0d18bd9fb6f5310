// What a directory says of a person, as a whole resource or as changes, in the ways in which Entra and Okta write it.
import { ScimFault } from './scim-fault.ts';

/** Undefined: nothing is said; null: it is taken away. */
export interface SaidOfUser {
  userName?: string | undefined;
  externalId?: string | null | undefined;
  displayName?: string | null | undefined;
  formatted?: string | null | undefined;
  givenName?: string | null | undefined;
  familyName?: string | null | undefined;
  email?: string | undefined;
  active?: boolean | undefined;
}

type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const parseBody = (text: string): Json => {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new ScimFault(400, 'The body must be a JSON object', 'invalidSyntax');
};

/** Names of attributes do not know case. */
export const attributeOf = (from: Json, name: string): unknown =>
  Object.entries(from).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

const words = (value: unknown, name: string): string | null | undefined => {
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string' || value.length > 255 || value.includes('\0') || !value.isWellFormed())
    throw new ScimFault(400, `${name} must be a text of at most 255 characters`, 'invalidValue');
  const plain = value.trim();
  return plain === '' ? null : plain;
};

const needed = (value: unknown, name: string): string | undefined => {
  const text = words(value, name);
  if (text === null) throw new ScimFault(400, `${name} cannot be empty`, 'invalidValue');
  return text;
};

/** Entra writes "True" and "False". */
const yesOrNo = (value: unknown): boolean | undefined => {
  if (value === undefined || typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new ScimFault(400, 'active must be true or false', 'invalidValue');
};

const emailIn = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return needed(value, 'emails');
  const list = (Array.isArray(value) ? value : [value]).filter(isObject);
  const chosen =
    list.find((one) => attributeOf(one, 'primary') === true || attributeOf(one, 'primary') === 'True') ??
    list.find((one) => attributeOf(one, 'type') === 'work') ??
    list[0];
  return chosen === undefined ? undefined : needed(attributeOf(chosen, 'value'), 'emails.value');
};

/** Only what was said stands in the answer. */
const given = (said: SaidOfUser): SaidOfUser =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));

export const readUser = (body: Json): SaidOfUser => {
  const name = attributeOf(body, 'name');
  const parts = isObject(name) ? name : {};
  return given({
    userName: needed(attributeOf(body, 'userName'), 'userName'),
    externalId: words(attributeOf(body, 'externalId'), 'externalId'),
    displayName: words(attributeOf(body, 'displayName'), 'displayName'),
    formatted: words(attributeOf(parts, 'formatted'), 'name.formatted'),
    givenName: words(attributeOf(parts, 'givenName'), 'name.givenName'),
    familyName: words(attributeOf(parts, 'familyName'), 'name.familyName'),
    email: emailIn(attributeOf(body, 'emails')),
    active: yesOrNo(attributeOf(body, 'active')),
  });
};

interface PatchStep {
  op: 'add' | 'replace' | 'remove';
  path: string | undefined;
  value: unknown;
}

/** `Operations` of RFC 7644, also as some directories spell it; `op` in any case. */
export const readOperations = (body: Json): PatchStep[] => {
  const list = attributeOf(body, 'Operations');
  if (!Array.isArray(list) || list.length === 0 || list.length > 1_000)
    throw new ScimFault(400, 'Operations must be a list of 1 to 1000 changes', 'invalidSyntax');
  return list.map((one: unknown) => {
    const op = isObject(one) ? attributeOf(one, 'op') : undefined;
    const path = isObject(one) ? attributeOf(one, 'path') : undefined;
    const name = typeof op === 'string' ? op.toLowerCase() : '';
    if (!isObject(one) || !['add', 'replace', 'remove'].includes(name))
      throw new ScimFault(400, 'op must be add, replace or remove', 'invalidSyntax');
    if (path !== undefined && typeof path !== 'string') throw new ScimFault(400, 'path must be a text', 'invalidPath');
    if (name === 'remove' && path === undefined) throw new ScimFault(400, 'remove needs a path', 'noTarget');
    return { op: name as PatchStep['op'], path, value: attributeOf(one, 'value') };
  });
};

const schemaBefore = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;
export const plainPath = (path: string): string => path.trim().toLowerCase().replace(schemaBefore, '');

/** What is kept here by its path. Directories send much else, such as telephone numbers, which is accepted and not kept. */
const bodyAt = (path: string, value: unknown): Json => {
  if (path.startsWith('name.')) return { name: { [path.slice(5)]: value } };
  if (/^emails(\[[^\]]*\])?(\.value)?$/.test(path)) return { emails: value };
  return { [path]: value };
};

export const readUserChanges = (body: Json): SaidOfUser => {
  const said: SaidOfUser = {};
  for (const { op, path, value } of readOperations(body)) {
    if (path !== undefined) {
      const plain = plainPath(path);
      if (op === 'remove' && ['username', 'active'].includes(plain))
        throw new ScimFault(400, `${path} cannot be removed`, 'mutability');
      // An address stays: an account has one.
      if (op === 'remove' && plain.startsWith('emails')) continue;
      Object.assign(said, readUser(bodyAt(plain, op === 'remove' ? null : value)));
    } else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) Object.assign(said, readUser(bodyAt(plainPath(key), inner)));
    } else throw new ScimFault(400, 'Without a path the value must be an object', 'invalidSyntax');
  }
  return said;
};
