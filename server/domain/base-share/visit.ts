// What visitors of a shared base see: the rights of somebody who is bound by rules that give them its tables to read. So everything that knows how to keep
// something from members who are bound keeps it from visitors, too: tables outside of the share, and what is computed from them. See docs/adr/0204-shared-bases.md.
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, forbidden, notFound } from '@rowhouse/contract/error.ts';
import { isId } from '@rowhouse/contract/id.ts';
import type { Resource } from '../../catalog/access.sql.ts';
import type { Access } from '../../catalog/access.ts';
import { rightsOf } from '../../catalog/bound.ts';
import type { Principal } from '../../catalog/principal.ts';
import type { Rights } from '../../catalog/rights.ts';
import type { Services } from '../../context.ts';
import { demandNewest } from '../../db/upgrade-base.ts';
import { visitorRules } from '../file/person-address.ts';
import { hasPass } from '../share/pass.ts';
import { type OpenBaseShare, selectOpenBaseShare } from './base-share.sql.ts';

export const findBaseShare = async ({ db }: Pick<Services, 'db'>, shareId: string): Promise<OpenBaseShare> => {
  const share = isId('shr', shareId) ? await selectOpenBaseShare(db, shareId) : undefined;
  if (share === undefined) throw notFound('Share', shareId.slice(0, 50));
  return share;
};

/** 401 for those who have not entered its password. */
export const openBaseShare = async (
  services: Pick<Services, 'db' | 'secretKey' | 'now' | 'config'>,
  shareId: string,
  headers: IncomingHttpHeaders,
): Promise<OpenBaseShare> => {
  const share = await findBaseShare(services, shareId);
  if (share.passwordHash !== null && !hasPass(services, share, headers))
    throw new ApiError('unauthorized_share', 'This share wants its password first', { passwordRequired: true });
  return share;
};

/** Nobody's: no e-mail addresses, no writing. */
const visitorOf = ({ shareId, folderId, tableId }: OpenBaseShare): Principal => ({
  userId: shareId,
  name: 'anonymous',
  email: '',
  isAdmin: false,
  kind: 'session',
  tokenId: null,
  clientId: null,
  scopes: new Set(['base|read', 'table|read', 'field|read', 'view|read', 'record|read']),
  reach: null,
  expires: Number.MAX_SAFE_INTEGER,
  visits: { folderId, isTable: tableId !== null },
});

const capacity = 500;
const known = new Map<string, Rights>();

const reading = {
  actions: ['record|read'],
  fields: null,
  create: null,
  update: null,
  when: null,
};

/** The same for the same tables and views: what is remembered by them stays. */
const rightsFor = ({ shareId, version, tables }: OpenBaseShare): Rights => {
  const rules = visitorRules(shareId, version);
  const key = `${rules} ${createHash('sha256').update(JSON.stringify(tables)).digest('base64url')}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= capacity) known.clear();
  const grants = tables.map(({ tableId, viewIds }) => ({ tableId, viewIds, showsFacts: false, grants: [reading] }));
  const made = { ...rightsOf(grants, key, { rules }), restsOn: shareId };
  known.set(key, made);
  return made;
};

/** 404 for what is not in the share, as for what is not there at all. */
export const visitBase = async (
  services: Services,
  shareId: string,
  headers: IncomingHttpHeaders,
  resource: Resource,
  isCopying = false,
): Promise<Access> => {
  const share = await openBaseShare(services, shareId, headers);
  if (isCopying && !share.allowCopy) throw forbidden('This share does not allow copying');
  const rights = rightsFor(share);
  if (resource.type === 'base' && resource.id !== share.baseId) throw notFound('Base', resource.id);
  if (resource.type === 'table' && rights.of(resource.id) === null) throw notFound('Table', resource.id);
  await demandNewest(services.db, share.baseId, share.baseVersion);
  const { epoch, spaceId, baseId, levels, bytes } = share;
  return {
    epoch,
    principal: visitorOf(share),
    spaceId,
    baseId,
    tableId: resource.type === 'table' ? resource.id : null,
    role: 'viewer',
    lacksSecondFactor: false,
    levels: levels ?? [],
    bytes: bytes ?? 0,
    rights,
  };
};
