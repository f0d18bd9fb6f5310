// Composition: which routes there are, and what they run with. Listening is main.ts's business.
import { newId } from '@rowhouse/contract/id.ts';
import type { FastifyInstance } from 'fastify';
import { readPlans } from './catalog/plans.ts';
import { createTableCatalog } from './catalog/table.ts';
import type { Config } from './config.ts';
import type { Services } from './context.ts';
import type { Db } from './db/db.ts';
import { accessTokenRoutes } from './domain/access-token/routes.ts';
import { aggregationRoutes } from './domain/aggregation/routes.ts';
import { authRoutes } from './domain/auth/routes.ts';
import { baseRoutes } from './domain/base/routes.ts';
import { billingRoutes } from './domain/billing/routes.ts';
import { collaboratorRoutes } from './domain/collaborator/routes.ts';
import { invitationRoutes } from './domain/invitation/routes.ts';
import { dropExpiredHistory } from './domain/history/drop-expired-history.ts';
import { historyRoutes } from './domain/history/routes.ts';
import { applyPlans } from './domain/plan/apply-plans.ts';
import { keepUp } from './domain/plan/keep-up.ts';
import { planRoutes } from './domain/plan/routes.ts';
import { recordRoutes } from './domain/record/routes.ts';
import { spaceRoutes } from './domain/space/routes.ts';
import { notificationRoutes } from './domain/notification/routes.ts';
import { oauthRoutes } from './domain/oauth/routes.ts';
import { sweepExpired } from './domain/oauth/sweep-expired.ts';
import { baseCopyRoutes } from './domain/table/base-routes.ts';
import { dropExpiredTrash } from './domain/trash/drop-table-trash.ts';
import { trashRoutes } from './domain/trash/routes.ts';
import { userRoutes } from './domain/user/routes.ts';
import { fieldRoutes } from './domain/field/routes.ts';
import { tableRoutes } from './domain/table/routes.ts';
import { viewRoutes } from './domain/view/routes.ts';
import { eventRoutes } from './realtime/routes.ts';
import { createFaults, type Work } from './faults.ts';
import { silentLive } from './live.ts';
import type { Route } from './http/route.ts';
import { createServer } from './http/server.ts';

export const routes: Route[] = [
  ...aggregationRoutes,
  ...viewRoutes,
  ...tableRoutes,
  ...fieldRoutes,
  ...planRoutes,
  ...baseRoutes,
  ...collaboratorRoutes,
  ...invitationRoutes,
  ...historyRoutes,
  ...recordRoutes,
  ...spaceRoutes,
  ...baseCopyRoutes,
  ...trashRoutes,
  ...userRoutes,
  ...accessTokenRoutes,
  ...authRoutes,
  ...oauthRoutes,
  ...billingRoutes,
  ...notificationRoutes,
  ...eventRoutes,
];

export const createServices = (db: Db, config: Config, overrides: Partial<Services> = {}): Services => ({
  db,
  config,
  catalog: createTableCatalog(),
  plans: overrides.plans ?? readPlans(config.plansFile),
  now: () => new Date(),
  newId,
  publicUrl: () => config.publicUrl ?? `http://${config.host}:${config.port}`,
  live: silentLive,
  stopping: new AbortController().signal,
  faults: createFaults(),
  logStream: process.stderr,
  ...overrides,
});

const minute = 60_000;

/** What time changes by itself. Several processes may do it at once: each piece of work is done once. */
const upkeep: { every: number; name: Work; work: (services: Services) => Promise<unknown> }[] = [
  { every: minute, name: 'upkeep of plans', work: keepUp },
  { every: 60 * minute, name: 'removal of old history', work: dropExpiredHistory },
  { every: 60 * minute, name: 'removal of old fields and views', work: dropExpiredTrash },
  { every: 60 * minute, name: 'removal of what has expired', work: sweepExpired },
];

export const createApp = (services: Services): FastifyInstance => {
  const app = createServer(services, routes);
  services.faults.logTo((work, error, untold) => app.log.error({ err: error, ...(untold === 0 ? {} : { untold }) }, `${work} failed; it is tried again`));
  app.addHook('onReady', () => applyPlans(services));
  const timers = upkeep.map(({ every, name, work }) =>
    setInterval(() => void work(services).catch((error: unknown) => services.faults.note(name, error)), every).unref(),
  );
  app.addHook('onClose', async () => {
    for (const timer of timers) clearInterval(timer);
  });
  return app;
};
