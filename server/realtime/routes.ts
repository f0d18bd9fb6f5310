import * as contract from '@rowhouse/contract/event.ts';
import { listenToShare } from '@rowhouse/contract/share.ts';
import { demandPerson } from '../domain/notification/list-notifications.ts';
import { openShare } from '../domain/share/open-share.ts';
import { Answer, type Route, route } from '../endpoint/route.ts';
import { readEventId } from './sse.ts';

// `no-transform` and `x-accel-buffering` keep proxies from holding events back.
const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

export const eventRoutes: Route[] = [
  route(contract.listenToTable, async ({ access, live }, { query, headers: given, recheck }) => {
    const lastEventId = readEventId(given['last-event-id'], query.lastEventId);
    const since = await live.tablePosition(access.baseId as string);
    return new Answer({
      headers,
      open: (outlet) =>
        live.listenToTable({
          outlet,
          access,
          recheck,
          since,
          lastEventId,
          values: query.values ?? false,
          // Nobody is seen where they are not.
          presence:
            query.presence === true && access.principal.viewedBy === undefined && access.principal.visits === undefined,
        }),
    });
  }),
  route(contract.listenToBase, async ({ access, live }, { query, headers: given, recheck }) => {
    const lastEventId = readEventId(given['last-event-id'], query.lastEventId);
    const since = await live.tablePosition(access.baseId as string);
    return new Answer({
      headers,
      open: (outlet) =>
        live.listenToTable({
          outlet,
          access,
          recheck,
          since,
          lastEventId,
          values: false,
          presence: false,
          isOfBase: true,
        }),
    });
  }),
  route(listenToShare, async (services, { params: { shareId }, query, headers: given }) => {
    const { live } = services;
    const lastEventId = readEventId(given['last-event-id'], query.lastEventId);
    const { access } = (await openShare(services, shareId, given)).context;
    const since = await live.tablePosition(access.baseId);
    const recheck = {
      key: () => `${shareId} ${given.cookie ?? ''}`,
      run: async () => (await openShare(services, shareId, given)).context.access,
    };
    return new Answer({
      headers,
      open: (outlet) =>
        live.listenToTable({ outlet, access, recheck, since, lastEventId, values: false, presence: false }),
    });
  }),
  route(contract.showCell, async ({ access, principal, live }, { body: { recordId, fieldId } }) => {
    const isIn = recordId !== null && fieldId !== null;
    live.showCell({
      tableId: access.tableId as string,
      userId: principal.userId,
      recordId: isIn ? recordId : null,
      fieldId: isIn ? fieldId : null,
    });
  }),
  route(contract.listenToNotifications, async ({ access, principal, live }, { query, headers: given, recheck }) => {
    demandPerson(principal);
    const lastEventId = readEventId(given['last-event-id'], query.lastEventId);
    const since = await live.inboxPosition(principal.userId);
    return new Answer({
      headers,
      open: (outlet) => live.listenToInbox({ outlet, access, recheck, since, lastEventId }),
    });
  }),
];
