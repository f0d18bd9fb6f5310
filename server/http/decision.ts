// What a request is about, what its caller has to have, and how an open stream asks again.
import type { IncomingHttpHeaders } from 'node:http';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { forbidden } from '@rowhouse/contract/error.ts';
import type { Credential, Resource } from '../catalog/access.sql.ts';
import { type Access, demand, demandOwner, resolveAccess } from '../catalog/access.ts';
import { askerOf, hasScope, type Principal } from '../catalog/principal.ts';
import { viewedAccess } from '../catalog/view-as.ts';
import type { Services } from '../context.ts';
import { isUnrestricted } from '../domain/user/demand-unrestricted.ts';
import { credentialOf } from '../endpoint/credential.ts';
import type { Recheck } from '../live.ts';
import { clientOf } from './address.ts';
import { accessOfVisitor } from './base-share.ts';

/** Whom requests at work and open streams are counted for: visitors of a share by where they come from. */
export const holderOf = (principal: Principal, ip: string): string =>
  principal.visits === undefined ? askerOf(principal).userId : clientOf(ip);

export const resourceOf = (endpoint: Declaration, params: Record<string, string>): Resource | null => {
  const { access } = endpoint;
  if (access.on !== 'space' && access.on !== 'base' && access.on !== 'table') return null;
  return {
    type: access.on,
    id: params[`${access.on}Id`] as string,
    trashed: access.trashed ?? false,
    anyFactor: access.anyFactor ?? false,
  };
};

export const demandFor = (endpoint: Declaration, access: Access, resource: Resource | null): void => {
  const wanted = endpoint.access;
  switch (wanted.on) {
    case 'public':
      return;
    case 'user':
      if (wanted.scope !== undefined && !hasScope(access.principal, wanted.scope))
        throw forbidden(`This token lacks the scope ${wanted.scope}`);
      if (wanted.everywhere === true && access.principal.reach !== null)
        throw forbidden('A token for some spaces or bases reaches nothing beside them');
      if (wanted.own === true && access.principal.kind === 'oauth')
        throw forbidden('A token of an application cannot manage credentials');
      return;
    case 'admin':
      // No scope stands for it, so a token that is limited to anything may not.
      if (!access.principal.isAdmin || !isUnrestricted(access.principal))
        throw forbidden('Only administrators of this instance may do this');
      if (wanted.session === true && access.principal.kind !== 'session')
        throw forbidden('Only administrators who are signed in may do this; no token may');
      return;
    default:
      demand(access, wanted.action, (resource as Resource).id);
      if (wanted.ownersOnly === true) demandOwner(access);
  }
};

export const cacheKey = (credential: Credential, resource: Resource | null, as: string | undefined): string =>
  `${credential.id}${credential.hash.toString('latin1')}${resource?.id ?? ''}${as ?? ''}`;

export const recheckOf = (
  services: Services,
  endpoint: Declaration,
  headers: IncomingHttpHeaders,
  resource: Resource | null,
  { as, shareId }: { as: string | undefined; shareId: string | undefined },
): Recheck =>
  shareId !== undefined
    ? {
        key: () => `${shareId} ${resource?.id ?? ''} ${headers.cookie ?? ''}`,
        async run() {
          const access = await accessOfVisitor(services, endpoint, shareId, headers, resource);
          demandFor(endpoint, access, resource);
          return access;
        },
      }
    : {
        key: () => cacheKey(credentialOf(headers) as Credential, resource, as),
        async run() {
          const own = await resolveAccess(services.db, credentialOf(headers) as Credential, resource);
          const access = as === undefined ? own : await viewedAccess(services.db, own, as);
          demandFor(endpoint, access, resource);
          return access;
        },
      };
