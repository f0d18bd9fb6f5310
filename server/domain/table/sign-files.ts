// POST /base/:baseId/sign-attachment-urls
import type { signAttachments as endpoint } from '@rowhouse/contract/attachment.ts';
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { pathOf } from '../file/file.ts';
import { selectFiles, selectUsed } from '../file/file.sql.ts';
import { urlFor } from '../file/person-address.ts';
import { selectHeldTokens } from '../record/read/held-files.sql.ts';
import { selectTables } from './table.sql.ts';

/** Whom rules bind, and visitors of a share, see the files of cells that they see. */
const seenIn = async (context: Context, baseId: string, tokens: readonly string[]): Promise<Set<string>> => {
  const { db, access } = context;
  const used = await selectUsed(db, baseId, tokens);
  if (access.rights.bound === undefined) return new Set(used);
  const seen = new Set<string>();
  for (const { id } of await selectTables(db, baseId)) {
    const missing = used.filter((token) => !seen.has(token));
    if (missing.length === 0) break;
    if (access.rights.of(id) === null) continue;
    const sight = sightOf(context, await presentTable(context, baseId, id));
    for (const token of await selectHeldTokens(db, sight, missing)) seen.add(token);
  }
  return seen;
};

export const signFiles = async (
  context: Context,
  baseId: string,
  { attachments }: BodyOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  const tokens = [...new Set(attachments.map(({ token }) => token))];
  const seen = await seenIn(context, baseId, tokens);
  const found = new Map((await selectFiles(context.db, [...seen])).map((file) => [file.token, file]));
  const addressed = urlFor(context, context.access);
  return {
    attachments: tokens.flatMap((token) => {
      const file = found.get(token);
      return file === undefined ? [] : [{ token, url: addressed(pathOf(file)) }];
    }),
  };
};
