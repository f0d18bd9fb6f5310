// POST /short-link, GET /short-link/:code, and the page /s/:code.
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, notFound } from '@rowhouse/contract/error.ts';
import { isId, randomText } from '@rowhouse/contract/id.ts';
import type { createShortLink as createEndpoint, getShortLink as getEndpoint } from '@rowhouse/contract/short-link.ts';
import type { Context, PublicContext } from '../../context.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { selectShare } from './share.sql.ts';
import { type LinkedShare, selectLinkedShare, selectSharedBase, upsertShortLink } from './short-link.sql.ts';

const codeLength = 9;
const codeForm = /^[0-9A-Za-z]{9}$/;

type Body = BodyOf<typeof createEndpoint>;

/** Nobody shortens the address of somebody else: a short one would tell that the long one is in use. */
const demandSharing = async (context: Context, { type, resourceId }: Body): Promise<void> => {
  const { db } = context;
  const missing = notFound('Share', resourceId);
  if (!isId('shr', resourceId)) throw missing;
  if (type === 'base-share') {
    const baseId = await selectSharedBase(db, resourceId);
    if (baseId === undefined) throw missing;
    await demandAccess(db, context, { type: 'base', id: baseId, trashed: false }, 'base|update', missing);
    return;
  }
  const share = await selectShare(db, resourceId, null);
  if (share === undefined) throw missing;
  await demandAccess(db, context, { type: 'table', id: share.tableId, trashed: false }, 'view|share', missing);
};

export const createShortLink = async (context: Context, body: Body): Promise<ResponseOf<typeof createEndpoint>> => {
  await demandSharing(context, body);
  const code = await upsertShortLink(context.db, {
    code: randomText(codeLength),
    shareId: body.resourceId,
    userId: context.principal.userId,
  });
  return { code, path: `/s/${code}` };
};

const pages = { 'view-share': 'view', 'base-share': 'base' } as const;

/** Undefined when it leads nowhere, or no longer. */
export const pathBehind = async (
  { db }: Pick<PublicContext, 'db'>,
  code: string,
): Promise<(LinkedShare & { path: string }) | undefined> => {
  const found = codeForm.test(code) ? await selectLinkedShare(db, code) : undefined;
  return found && { ...found, path: `/share/${found.shareId}/${pages[found.type]}` };
};

export const getShortLink = async (context: PublicContext, code: string): Promise<ResponseOf<typeof getEndpoint>> => {
  const found = await pathBehind(context, code);
  if (found === undefined) throw new ApiError('not_found', 'This short link leads nowhere, or no longer');
  return { type: found.type, resourceId: found.shareId, path: found.path };
};
