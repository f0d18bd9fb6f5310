// What a connection may listen to: decided with its own credential, or by its share, each time it begins and whenever something changes.
import type { IncomingHttpHeaders } from 'node:http';
import { forbidden, notFound, unauthorized } from '@rowhouse/contract/error.ts';
import type { Credential } from '../../catalog/access.sql.ts';
import { type Access, demand, resolveAccess } from '../../catalog/access.ts';
import type { PublicContext, Services } from '../../context.ts';
import { demandPerson } from '../../domain/notification/list-notifications.ts';
import { openShare } from '../../domain/share/open-share.ts';
import { credentialOf } from '../../endpoint/credential.ts';
import type { Live, Outlet, Recheck, SocketOpening } from '../../live.ts';
import type { FeedPlace } from './collection.ts';

export interface Entrance {
  /** Throws when the caller may not read there. */
  enter(place: FeedPlace): Promise<void>;
  listenTo(place: FeedPlace, outlet: Outlet): Promise<void>;
  /** Be seen among those who have the table open, and see them. */
  listenToPeople(tableId: string, outlet: Outlet): Promise<void>;
  listenToInbox(userId: string, outlet: Outlet): Promise<void>;
  showCell(tableId: string, cell: [recordId: string, fieldId: string] | null): void;
}

const keyOf = ({ id, hash }: Credential, place: string): string => `${id}${hash.toString('latin1')}${place}`;

const listen = async (
  live: Live,
  { id }: FeedPlace,
  recheck: Recheck,
  outlet: Outlet,
  presence: boolean,
): Promise<Access> => {
  const access = await recheck.run();
  const since = await live.tablePosition(access.baseId as string);
  // A base is listened to as if it were a table: its rows of the feed have its id in that place.
  live.listenToTable({
    outlet,
    access: { ...access, tableId: id },
    recheck,
    since,
    lastEventId: undefined,
    values: false,
    presence,
  });
  return access;
};

const entranceForMembers = ({ db }: Services, live: Live, headers: IncomingHttpHeaders): Entrance => {
  const credential = credentialOf(headers) as Credential;
  /** Those who show a cell have been let in to its table. */
  const users = new Map<string, string>();

  const recheckOf = ({ type, id }: FeedPlace): Recheck => ({
    key: () => keyOf(credential, id),
    async run() {
      const access = await resolveAccess(db, credential, { type, id, trashed: false });
      demand(access, type === 'base' ? 'table|read' : 'record|read', id);
      return access;
    },
  });

  const inboxRecheck: Recheck = {
    key: () => keyOf(credential, ''),
    async run() {
      const access = await resolveAccess(db, credential, null);
      demandPerson(access.principal);
      if (access.principal.reach !== null)
        throw forbidden('A token for some spaces or bases reaches nothing beside them');
      return access;
    },
  };

  return {
    enter: async (place) => void (await recheckOf(place).run()),
    listenTo: async (place, outlet) => void (await listen(live, place, recheckOf(place), outlet, false)),
    async listenToPeople(tableId, outlet) {
      const place: FeedPlace = { type: 'table', id: tableId };
      const { principal } = await listen(live, place, recheckOf(place), outlet, true);
      users.set(tableId, principal.userId);
    },
    async listenToInbox(userId, outlet) {
      const access = await inboxRecheck.run();
      if (access.principal.userId !== userId) throw forbidden('These are the notifications of somebody else');
      const since = await live.inboxPosition(userId);
      live.listenToInbox({ outlet, access, recheck: inboxRecheck, since, lastEventId: undefined });
    },
    showCell(tableId, cell) {
      const userId = users.get(tableId);
      if (userId !== undefined)
        live.showCell({ tableId, userId, recordId: cell?.[0] ?? null, fieldId: cell?.[1] ?? null });
    },
  };
};

const entranceForVisitors = (
  services: PublicContext,
  live: Live,
  headers: IncomingHttpHeaders,
  shareId: string,
): Entrance => {
  const recheckOf = ({ id }: FeedPlace): Recheck => ({
    key: () => `${shareId} ${headers.cookie ?? ''}`,
    async run() {
      const { access } = (await openShare(services, shareId, headers)).context;
      if (access.tableId !== id) throw notFound('Table', id);
      return access;
    },
  });
  const forMembers = async (): Promise<never> => {
    throw unauthorized();
  };
  return {
    enter: async (place) => void (await recheckOf(place).run()),
    listenTo: async (place, outlet) => void (await listen(live, place, recheckOf(place), outlet, false)),
    listenToPeople: forMembers,
    listenToInbox: forMembers,
    showCell: () => undefined,
  };
};

export const openEntrance = (services: Services, live: Live, { headers, shareId, from }: SocketOpening): Entrance =>
  shareId === null
    ? entranceForMembers(services, live, headers)
    : entranceForVisitors({ ...services, requestId: '', from }, live, headers, shareId);
