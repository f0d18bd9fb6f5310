// The header of View as: which requests may carry it, and that the audit log knows who looked as whom.
import type { IncomingHttpHeaders } from 'node:http';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { forbidden, invalid } from '@rowhouse/contract/error.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import { isId } from '@rowhouse/contract/id.ts';
import type { Access } from '../catalog/access.ts';
import { doerOf, type From, writeAudit } from '../catalog/audit.sql.ts';
import type { Services } from '../context.ts';
import type { RawQuery } from './query.ts';

export const viewAsHeader = 'x-view-as';

const onlyReads = (): Error =>
  forbidden('You are viewing as somebody else, which is for reading one base; end it to do anything else');

/** A connection that follows many places has no one base; ignored, the caller would take their own documents for those of the other. */
export const refuseViewAs = (headers: IncomingHttpHeaders, query: URLSearchParams): void => {
  if (headers[viewAsHeader] !== undefined || query.has('viewAs')) throw onlyReads();
};

/** Undefined: the request is the caller's own. Anything but reading in a base is refused. */
export const viewAsOf = (endpoint: Declaration, headers: IncomingHttpHeaders, query: RawQuery): string | undefined => {
  // A browser's stream of events cannot send a header.
  const given = headers[viewAsHeader] ?? (endpoint.name === listenToTable.name ? query['viewAs'] : undefined);
  if (given === undefined) return undefined;
  const { on } = endpoint.access;
  if (endpoint.method !== 'GET' || (on !== 'base' && on !== 'table')) throw onlyReads();
  const as = String(given);
  if (!isId('usr', as) && !isId('aur', as))
    throw invalid({
      path: 'X-View-As',
      message: 'This is neither a person nor a role',
      expected: 'the id of a member of the base (usr…) or of a role of its rights (aur…)',
    });
  return as;
};

const hour = 3_600_000;
const capacity = 10_000;

/** One entry an hour for each caller, base and person or role: looking around takes a hundred requests. None is answered before it is written. */
export const createViewingLog = () => {
  const noted = new Map<string, { at: number; written: Promise<void> }>();
  return async ({ db, now }: Services, { principal, baseId }: Access, as: string, from: From): Promise<void> => {
    const key = `${principal.viewedBy?.userId} ${principal.tokenId ?? ''} ${baseId} ${as}`;
    const at = now().getTime();
    const known = noted.get(key);
    if (known !== undefined && at - known.at < hour) return known.written;
    if (noted.size >= capacity) noted.clear();
    const written = writeAudit(
      db.shared,
      doerOf({ principal, from }),
      'base.viewed_as',
      { baseIds: [baseId as string] },
      { baseId, as },
    );
    noted.set(key, { at, written });
    try {
      await written;
    } catch (error) {
      noted.delete(key);
      throw error;
    }
  };
};
