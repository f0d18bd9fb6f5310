// Requests that name every parameter there is, where the access walk names the necessary ones.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { requestFor } from '../test/support/access-request.ts';
import type { Request } from '../test/support/access-walk.ts';
import type { Holdings } from './estate.ts';
import { programRequests } from './request/program-requests.ts';
import type { More } from './request/request-parts.ts';
import { shareRequests } from './request/share-requests.ts';
import { tableRequests } from './request/table-requests.ts';
import { workspaceRequests } from './request/workspace-requests.ts';

const more: Record<string, More> = { ...tableRequests, ...shareRequests, ...workspaceRequests, ...programRequests };

/** The request of the access walk, then the fuller ones. */
export const requestsFor = (endpoint: Declaration, things: Holdings): Request[] => {
  const first = requestFor(endpoint, things);
  const others = more[endpoint.name]?.(things) ?? [];
  return [first, ...others.map(({ params, ...rest }) => ({ ...rest, params: { ...first.params, ...params } }))];
};
