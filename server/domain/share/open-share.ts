// Decides about a request to a share: is there such a one, is it open to this visitor, and what does it show them.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import type { ShareMeta } from '@rowhouse/contract/share-meta.ts';
import type { Access } from '../../catalog/access.ts';
import type { Principal } from '../../catalog/principal.ts';
import type { TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { PublicContext } from '../../context.ts';
import { demandNewest } from '../../db/upgrade-base.ts';
import { Answer } from '../../endpoint/route.ts';
import { limitAnswer } from '../../endpoint/answer-scopes.ts';
import type { TableAccess, TableContext } from '../../pipeline/pipeline.ts';
import { showFiles } from '../file/show-files.ts';
import { hasPass } from './pass.ts';
import { shareSight } from './share-sight.ts';
import { selectShare, type ShareRow } from './share.sql.ts';

export const anonymousId = 'anonymous';

/** Its scopes keep e-mail addresses out of every answer. */
const anonymous: Principal = {
  userId: anonymousId,
  name: anonymousId,
  email: '',
  isAdmin: false,
  kind: 'session',
  tokenId: null,
  clientId: null,
  scopes: new Set(['view|read', 'field|read', 'record|read', 'record|create']),
  reach: null,
  expires: Number.MAX_SAFE_INTEGER,
};

export interface OpenShare {
  share: ShareRow;
  meta: ShareMeta;
  /** As it was when the request was decided about. */
  view: ViewSchema;
  context: TableContext;
}

const unknown = (): ApiError => new ApiError('validation_error', 'share view not found');

export const findShare = async ({ db, now }: PublicContext, shareId: string, userId: string | null = null): Promise<ShareRow> => {
  const share = isId('shr', shareId) ? await selectShare(db, shareId, userId) : undefined;
  if (share === undefined) throw unknown();
  const expires = share.meta?.expiresTime;
  if (typeof expires === 'string' && Date.parse(expires) <= now().getTime()) throw new ApiError('validation_error', 'This share link has expired', { expired: true });
  return share;
};

/** A snapshot that lacks the view is from before it was made. */
const tableWith = async ({ db, catalog }: PublicContext, { baseId, tableId, viewId }: ShareRow): Promise<{ table: TableSchema; view: ViewSchema }> => {
  for (const isLast of [false, true]) {
    const table = await catalog.get(db, baseId, tableId);
    const view = table.views.find(({ id }) => id === viewId);
    if (view !== undefined) return { table, view };
    if (!isLast) catalog.forget(tableId);
  }
  throw unknown();
};

interface Decision {
  share: ShareRow;
  view: ViewSchema;
  access: Access;
}

const decide = async (services: PublicContext, shareId: string, headers: IncomingHttpHeaders, principal: Principal): Promise<Decision> => {
  const isVisitor = principal.userId === anonymousId;
  const share = await findShare(services, shareId, isVisitor ? null : principal.userId);
  if (share.passwordHash !== null && !hasPass(services, share, headers)) throw new ApiError('unauthorized_share', 'This share wants its password first', { passwordRequired: true });
  await demandNewest(services.db, share.baseId, share.baseVersion);
  const { table, view } = await tableWith(services, share);
  const { epoch, spaceId, baseId, tableId, levels, bytes } = share;
  return {
    share,
    view,
    access: { epoch, principal, spaceId, baseId, tableId, role: 'viewer', lacksSecondFactor: false, levels: levels ?? [], bytes: bytes ?? 0, sight: { ...shareSight(view, share.meta ?? {}, table), ...(isVisitor ? { restsOn: share.viewId } : {}) } },
  };
};

/** `user`: somebody who is signed in and acts under their name. They see no more than others. */
export const openShare = async (services: PublicContext, shareId: string, headers: IncomingHttpHeaders, user?: Principal): Promise<OpenShare> => {
  const principal = user === undefined ? anonymous : { ...anonymous, userId: user.userId, name: user.name };
  const { share, view, access } = await decide(services, shareId, headers, principal);
  const { caller, ...rest } = services;
  const context: TableContext = {
    ...rest,
    db: services.db.at({ resource: share.tableId, holders: [share.shareId, share.spaceId] }, caller),
    principal,
    access: access as TableAccess,
    refresh: async () => (await decide(services, shareId, headers, principal)).access,
    noteOperation: () => undefined,
  };
  return { share, meta: share.meta ?? {}, view, context };
};

/** JSON as visitors get it: without e-mail addresses, and with the addresses of its files. */
export const shareAnswer = async ({ context }: OpenShare, text: string, more: { status?: number; headers?: Record<string, string | string[]> } = {}): Promise<Answer> => {
  const limited = limitAnswer(text, anonymous, null);
  return new Answer({ ...more, text: await showFiles(context.db, context.files, context.access.baseId, limited), mayShowFiles: false });
};

/** Sites that may show the page of a share inside of theirs; none for a share that is not there. */
export const frameAncestorsOf = async ({ db }: Pick<PublicContext, 'db'>, shareId: string): Promise<readonly string[]> =>
  isId('shr', shareId) ? ((await selectShare(db, shareId, null))?.meta?.frameAncestors ?? []) : [];
