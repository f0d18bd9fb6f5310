// Decides about a request to a share: is there such a one, is it open to this visitor, and what does it show them.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import type { ShareMeta } from '@rowhouse/contract/share-meta.ts';
import type { Access } from '../../catalog/access.ts';
import { rightsOn } from '../../catalog/rights.ts';
import type { Principal } from '../../catalog/principal.ts';
import type { TableSchema, ViewSchema } from '../../catalog/table.ts';
import type { PublicContext } from '../../context.ts';
import { demandNewest } from '../../db/upgrade-base.ts';
import { Answer } from '../../endpoint/route.ts';
import type { TableAccess, TableContext } from '../../pipeline/pipeline.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { showFiles } from '../file/show-files.ts';
import { fileAddress, fileMarkOf } from './file-address.ts';
import { hasPass, passwordMarkOf } from './pass.ts';
import { shareSight } from './share-sight.ts';
import { selectShare, type ShareRow } from './share.sql.ts';

export const anonymousId = 'anonymous';

/** By its scopes nothing that is rendered for it has e-mail addresses. */
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
  /** What the addresses of its files rest on, as of the last decision. */
  fileMark: () => string;
  /** As of the last decision. */
  present: () => ShareRow;
}

const unknown = (): ApiError => new ApiError('validation_error', 'share view not found');

export const findShare = async (
  { db, now }: PublicContext,
  shareId: string,
  userId: string | null = null,
): Promise<ShareRow> => {
  const share = isId('shr', shareId) ? await selectShare(db, shareId, userId) : undefined;
  if (share === undefined) throw unknown();
  const expires = share.meta?.expiresTime;
  if (typeof expires === 'string' && Date.parse(expires) <= now().getTime())
    throw new ApiError('validation_error', 'This share link has expired', { expired: true });
  return share;
};

const tableWith = async (
  services: PublicContext,
  { baseId, tableId, viewId }: ShareRow,
): Promise<{ table: TableSchema; view: ViewSchema }> => {
  const table = await presentTable(services, baseId, tableId);
  const view = table.views.find(({ id }) => id === viewId);
  if (view === undefined) throw unknown();
  return { table, view };
};

interface Decision {
  share: ShareRow;
  view: ViewSchema;
  access: Access;
  fileMark: string;
}

/** `letsIn`: whether they may enter without the password. */
type LetsIn = (share: ShareRow) => boolean;

const decide = async (
  services: PublicContext,
  shareId: string,
  letsIn: LetsIn,
  principal: Principal,
): Promise<Decision> => {
  const isVisitor = principal.userId === anonymousId;
  const share = await findShare(services, shareId, isVisitor ? null : principal.userId);
  if (share.passwordHash !== null && !letsIn(share))
    throw new ApiError('unauthorized_share', 'This share wants its password first', { passwordRequired: true });
  await demandNewest(services.db, share.baseId, share.baseVersion);
  const { table, view } = await tableWith(services, share);
  const { epoch, spaceId, baseId, tableId, levels, bytes } = share;
  const sight = shareSight(view, share, table);
  return {
    share,
    view,
    access: {
      epoch,
      principal,
      spaceId,
      baseId,
      tableId,
      role: 'viewer',
      lacksSecondFactor: false,
      levels: levels ?? [],
      bytes: bytes ?? 0,
      rights: rightsOn(tableId, sight, isVisitor ? share.viewId : undefined),
    },
    fileMark: fileMarkOf(share, sight, table),
  };
};

const openFor = async (
  services: PublicContext,
  shareId: string,
  letsIn: LetsIn,
  principal: Principal,
): Promise<OpenShare> => {
  let latest = await decide(services, shareId, letsIn, principal);
  const { share, view, access } = latest;
  const { caller, ...rest } = services;
  const context: TableContext = {
    ...rest,
    db: services.db.at({ resource: share.tableId, holders: [share.shareId, share.spaceId] }, caller),
    principal,
    access: access as TableAccess,
    refresh: async () => {
      latest = await decide(services, shareId, letsIn, principal);
      return latest.access;
    },
    noteOperation: () => undefined,
  };
  return { share, meta: share.meta ?? {}, view, context, fileMark: () => latest.fileMark, present: () => latest.share };
};

/** `user`: somebody who is signed in and acts under their name. They see no more than others. */
export const openShare = (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  user?: Principal,
): Promise<OpenShare> =>
  openFor(
    services,
    shareId,
    (share) => hasPass(services, share, headers),
    user === undefined ? anonymous : { ...anonymous, userId: user.userId, name: user.name },
  );

/** For somebody who has been let in before: as long as the password is the same. */
export const reopenShare = (services: PublicContext, shareId: string, passwordMark: string): Promise<OpenShare> =>
  openFor(services, shareId, (share) => passwordMarkOf(services, share) === passwordMark, anonymous);

/** Of a share that may want a password: the addresses that it has given are good without. */
export const fileMarkNow = async (services: PublicContext, shareId: string): Promise<string> =>
  (await decide(services, shareId, () => true, anonymous)).fileMark;

/** JSON as visitors get it: with the addresses of its files. */
export const shareAnswer = async (
  { context, share: { shareId }, fileMark }: OpenShare,
  text: string,
  more: { status?: number; headers?: Record<string, string | string[]> } = {},
): Promise<Answer> => {
  const addressed = (path: string): string => context.publicUrl() + fileAddress(context, shareId, fileMark(), path);
  return new Answer({
    ...more,
    text: await showFiles(context.db, context.files, context.access.baseId, text, addressed),
    mayShowFiles: false,
  });
};

/** Sites that may show the page of a share inside of theirs; none for a share that is not there. */
export const frameAncestorsOf = async (
  { db }: Pick<PublicContext, 'db'>,
  shareId: string,
): Promise<readonly string[]> =>
  isId('shr', shareId) ? ((await selectShare(db, shareId, null))?.meta?.frameAncestors ?? []) : [];
