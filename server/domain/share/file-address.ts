// Addresses of the files that a share shows. They rest on the share: they end with it, with its password, and when it shows other
// files or records than it did when it gave them. Otherwise they are the same for 20 minutes, and expire after 40 at most: a record that leaves the share by a
// change of its cells does not end them.
import { timingSafeEqual } from 'node:crypto';
import { shareFileSeconds } from '@rowhouse/contract/share-meta.ts';
import type { TableRights } from '../../catalog/rights.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Tools } from '../../context.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { tokenIn } from '../file/files.ts';
import type { ShareRow } from './share.sql.ts';

type Needs = Pick<Tools, 'secretKey' | 'now' | 'publicUrl'>;

/** What a share has to go on showing for its addresses to be good. */
export const fileMarkOf = (
  { passwordHash }: ShareRow,
  { fieldIds, rows }: TableRights,
  { fields }: TableSchema,
): string =>
  JSON.stringify([
    passwordHash,
    rows,
    fields
      .filter((field) => fieldTypeOf(field).namesFiles === true && fieldIds?.has(field.id) !== false)
      .map(({ id }) => id),
  ]);

const signatureOf = ({ secretKey }: Needs, shareId: string, mark: string, token: string, end: number): string =>
  `${end.toString(36)}.${secretKey.derive('share file', shareId, mark, token, String(end)).slice(0, 32)}`;

const periodNow = ({ now }: Needs): number => Math.floor(now().getTime() / 1_000 / shareFileSeconds);

/** `path`: as cells have it. */
export const fileAddress = (needs: Needs, shareId: string, mark: string, path: string): string =>
  `/api/share/${shareId}/view/file/${path.split('/').at(-1)}?token=${signatureOf(needs, shareId, mark, tokenIn(path), periodNow(needs) + 2)}`;

export const isFileAddress = (
  needs: Needs,
  shareId: string,
  mark: string,
  token: string,
  signature: string,
): boolean => {
  const end = Number.parseInt(signature.split('.')[0] as string, 36);
  const now = periodNow(needs);
  if (!(end > now && end <= now + 2)) return false;
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(needs, shareId, mark, token, end))];
  return given.length === right.length && timingSafeEqual(given, right);
};
