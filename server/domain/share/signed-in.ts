// The one who is signed in, at an endpoint that needs nobody to be: for forms that want to know, and for copies.
import type { IncomingHttpHeaders } from 'node:http';
import { unauthorized } from '@rowhouse/contract/error.ts';
import type { Resource } from '../../catalog/access.sql.ts';
import { type Access, resolveAccess } from '../../catalog/access.ts';
import type { Tools } from '../../context.ts';
import type { Db, Tx } from '../../db/db.ts';
import { credentialOf, refuseCrossSite } from '../../endpoint/credential.ts';

/** With what they may do there. */
export const signedIn = async (
  { db, config }: Pick<Tools, 'config'> & { db: Db | Tx },
  headers: IncomingHttpHeaders,
  resource: Resource | null,
): Promise<Access> => {
  const credential = credentialOf(headers);
  if (credential === undefined) throw unauthorized();
  if (credential.kind === 'session')
    refuseCrossSite('POST', headers, new Set(config.publicUrl === null ? [] : [new URL(config.publicUrl).origin]));
  return resolveAccess(db, credential, resource);
};
