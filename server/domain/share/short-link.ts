// POST /short-link, GET /short-link/:code, and the page /s/:code.
import type { BodyOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { ApiError, notFound } from '@rowhouse/contract/error.ts';
import { isId, randomText } from '@rowhouse/contract/id.ts';
import type { createShortLink as createEndpoint, getShortLink as getEndpoint } from '@rowhouse/contract/short-link.ts';
import type { Context, PublicContext } from '../../context.ts';
import { demandAccess } from '../collaborator/demand-access.ts';
import { selectShare } from './share.sql.ts';
import { selectLinkedShare, upsertShortLink } from './short-link.sql.ts';

const codeLength = 9;
const codeForm = /^[0-9A-Za-z]{9}$/;

/** Nobody shortens the address of somebody else: a short one would tell that the long one is in use. */
export const createShortLink = async (
  context: Context,
  { resourceId }: BodyOf<typeof createEndpoint>,
): Promise<ResponseOf<typeof createEndpoint>> => {
  const { db, principal } = context;
  const missing = notFound('Share', resourceId);
  const share = isId('shr', resourceId) ? await selectShare(db, resourceId, null) : undefined;
  if (share === undefined) throw missing;
  await demandAccess(db, context, { type: 'table', id: share.tableId, trashed: false }, 'view|share', missing);
  const code = await upsertShortLink(db, {
    code: randomText(codeLength),
    shareId: resourceId,
    userId: principal.userId,
  });
  return { code, path: `/s/${code}` };
};

/** Undefined when it leads nowhere, or no longer. */
export const pathBehind = async (
  { db }: Pick<PublicContext, 'db'>,
  code: string,
): Promise<{ shareId: string; path: string } | undefined> => {
  const shareId = codeForm.test(code) ? await selectLinkedShare(db, code) : undefined;
  return shareId === undefined ? undefined : { shareId, path: `/share/${shareId}/view` };
};

export const getShortLink = async (context: PublicContext, code: string): Promise<ResponseOf<typeof getEndpoint>> => {
  const found = await pathBehind(context, code);
  if (found === undefined) throw new ApiError('not_found', 'This short link leads nowhere, or no longer');
  return { type: 'view-share', resourceId: found.shareId, path: found.path };
};
