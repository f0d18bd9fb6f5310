// Addresses of files for somebody whom rules bind. An address is good without a credential, so it must not outlive by days what its reader may see: it is made for the person and the base, rests
// on the rules that they have there, is the same for 20 minutes, and expires after 40 at most. See docs/adr/0163-addresses-of-files-for-the-bound.md.
import { timingSafeEqual } from 'node:crypto';
import { shareFileSeconds } from '@rowhouse/contract/share-meta.ts';
import type { Access } from '../../catalog/access.ts';
import type { Tools } from '../../context.ts';
import { tokenIn } from './files.ts';

type Needs = Pick<Tools, 'secretKey' | 'now' | 'publicUrl'>;

/** For whom an address was made. */
interface Bearer {
  userId: string;
  baseId: string;
  /** Of the rules by which it was made. */
  mark: string;
}

const periodNow = ({ now }: Needs): number => Math.floor(now().getTime() / 1_000 / shareFileSeconds);

/** Equal for the same rules; a change of them, or of somebody's roles, makes another one. */
export const markOfRules = ({ secretKey }: Pick<Needs, 'secretKey'>, rules: string): string =>
  secretKey
    .derive('rules of a file', rules)
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .slice(0, 12);

/** Of visitors of a shared base: a change of the share makes others. */
export const visitorRules = (shareId: string, version: number): string => `${shareId} ${version}`;

const signatureOf = ({ secretKey }: Needs, token: string, { userId, baseId, mark }: Bearer, end: number): string =>
  [
    end.toString(36),
    secretKey.derive('file of a person', token, userId, baseId, mark, String(end)).slice(0, 32),
    mark,
    userId,
    baseId,
  ].join('.');

/** Undefined for those whom no rules bind: their addresses are those of everybody. */
export const personalAddresses = (
  needs: Needs,
  { rights: { bound }, baseId, principal: { userId } }: Pick<Access, 'rights' | 'baseId' | 'principal'>,
): ((path: string) => string) | undefined => {
  if (bound === undefined || baseId === null) return undefined;
  const bearer = { userId, baseId, mark: markOfRules(needs, bound.rules) };
  return (path) =>
    `${needs.publicUrl()}/api/attachments/read/private/${path}?token=${signatureOf(needs, tokenIn(path), bearer, periodNow(needs) + 2)}`;
};

/** Where the caller reads a file. */
export const urlFor = (
  needs: Needs & Pick<Tools, 'files'>,
  access: Pick<Access, 'rights' | 'baseId' | 'principal'>,
): ((path: string) => string) => personalAddresses(needs, access) ?? needs.files.urlOf;

/** For whom this address of the file was made; undefined when it was not made here, or has expired. */
export const bearerOf = (needs: Needs, token: string, signature: string): Bearer | undefined => {
  const [ending = '', , mark, userId, baseId] = signature.split('.');
  if (mark === undefined || userId === undefined || baseId === undefined) return undefined;
  const end = Number.parseInt(ending, 36);
  const now = periodNow(needs);
  if (!(end > now && end <= now + 2)) return undefined;
  const bearer = { userId, baseId, mark };
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(needs, token, bearer, end))];
  return given.length === right.length && timingSafeEqual(given, right) ? bearer : undefined;
};
