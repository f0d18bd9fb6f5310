// Composition: which routes there are, and what they run with. Listening is main.ts's business.
import { newId } from '@rowhouse/contract/id.ts';
import type { FastifyInstance } from 'fastify';
import { deriveRightsBy } from './catalog/bound.ts';
import { readPlans } from './catalog/plans.ts';
import { readSignInProviders } from './catalog/sign-in-providers.ts';
import { createTableCatalog } from './catalog/table.ts';
import type { Config } from './config.ts';
import type { Services } from './context.ts';
import type { Db } from './db/db.ts';
import { absentRoutes } from './domain/absent/routes.ts';
import { accessTokenRoutes } from './domain/access-token/routes.ts';
import { adminRoutes } from './domain/admin/routes.ts';
import { adminJobs } from './domain/admin/stream-audit.ts';
import { aggregationRoutes } from './domain/aggregation/routes.ts';
import { auditJobs } from './domain/audit/jobs.ts';
import { backupJobs } from './domain/backup/jobs.ts';
import { backupRoutes } from './domain/backup/routes.ts';
import { auditRoutes } from './domain/audit/routes.ts';
import { authJobs } from './domain/auth/jobs.ts';
import { authRoutes } from './domain/auth/routes.ts';
import { baseShareRoutes } from './domain/base-share/routes.ts';
import { baseQueryRoutes } from './domain/base-query/routes.ts';
import { baseRoutes } from './domain/base/routes.ts';
import { billingRoutes } from './domain/billing/routes.ts';
import { commentJobs } from './domain/comment/jobs.ts';
import { commentRoutes } from './domain/comment/routes.ts';
import { boundRights } from './domain/computed/bound-rights.ts';
import { buttonRoutes } from './domain/button/routes.ts';
import { collaboratorRoutes } from './domain/collaborator/routes.ts';
import { groupRoutes } from './domain/group/routes.ts';
import { invitationJobs } from './domain/invitation/jobs.ts';
import { invitationRoutes } from './domain/invitation/routes.ts';
import { feedJobs } from './domain/feed/jobs.ts';
import { feedOperations } from './domain/feed/feed.sql.ts';
import { fileJobs } from './domain/file/jobs.ts';
import { createFiles } from './domain/file/files.ts';
import { pictureLibrary } from './domain/file/image.ts';
import { fileRoutes } from './domain/file/routes.ts';
import { importJobs } from './domain/import/jobs.ts';
import { importRoutes } from './domain/import/routes.ts';
import { explainRoutes } from './domain/explain/routes.ts';
import { exportRoutes } from './domain/export/routes.ts';
import { historyRoutes } from './domain/history/routes.ts';
import { organizationJobs } from './domain/organization/jobs.ts';
import { scimRoutes } from './domain/scim/routes.ts';
import { organizationRoutes } from './domain/organization/routes.ts';
import { identityRoutes } from './domain/identity/routes.ts';
import { applyPlans } from './domain/plan/apply-plans.ts';
import { planRoutes } from './domain/plan/routes.ts';
import { personalRoutes } from './domain/personal/routes.ts';
import { queryRoutes } from './domain/query/routes.ts';
import { recordTemplateRoutes } from './domain/record-template/routes.ts';
import { recordRoutes } from './domain/record/routes.ts';
import { rightsRoutes } from './domain/rights/routes.ts';
import { sqlAccessRoutes } from './domain/sql-access/routes.ts';
import { settingRoutes } from './domain/setting/routes.ts';
import { shareJobs } from './domain/share/jobs.ts';
import { shareRoutes } from './domain/share/routes.ts';
import { spaceRoutes } from './domain/space/routes.ts';
import { spaceSearchRoutes } from './domain/space-search/routes.ts';
import { notificationRoutes } from './domain/notification/routes.ts';
import { dashboardRoutes } from './domain/dashboard/routes.ts';
import { nodeRoutes } from './domain/node/routes.ts';
import { oauthRoutes } from './domain/oauth/routes.ts';
import { tableRoutes } from './domain/table/routes.ts';
import { templateRoutes } from './domain/template/routes.ts';
import { trashRoutes } from './domain/trash/routes.ts';
import { automationJobs } from './domain/automation/jobs.ts';
import { automationRoutes } from './domain/automation/routes.ts';
import { workflowRoutes } from './domain/workflow/routes.ts';
import { automationFollower } from './domain/automation/take-changes.ts';
import { webhookJobs } from './domain/webhook/jobs.ts';
import { webhookRoutes } from './domain/webhook/routes.ts';
import { webhookFollower } from './domain/webhook/take-changes.ts';
import { userRoutes } from './domain/user/routes.ts';
import { fieldRoutes } from './domain/field/routes.ts';
import { viewRoutes } from './domain/view/routes.ts';
import { fieldJobs } from './domain/field/jobs.ts';
import { historyJobs } from './domain/history/jobs.ts';
import { jobJobs } from './domain/job/jobs.ts';
import { jobRoutes } from './domain/job/routes.ts';
import { notificationJobs } from './domain/notification/jobs.ts';
import { oauthJobs } from './domain/oauth/jobs.ts';
import { planJobs } from './domain/plan/jobs.ts';
import { recordJobs } from './domain/record/jobs.ts';
import { sqlAccessJobs } from './domain/sql-access/jobs.ts';
import { trashJobs } from './domain/trash/jobs.ts';
import { eventRoutes } from './realtime/routes.ts';
import { createBackgroundErrors } from './background-errors.ts';
import { createRecent } from './recent.ts';
import type { OptionalPart } from './optional-part.ts';
import { silentLive } from './live.ts';
import type { Route } from './endpoint/route.ts';
import { createServer } from './http/server.ts';
import { type JobKind, noWork } from './work/job.ts';
import { connectionsFor, startWork } from './work/start-work.ts';
import { createSecretKey } from './secret-key.ts';

deriveRightsBy(boundRights);

export const routes: Route[] = [
  ...aggregationRoutes,
  ...viewRoutes,
  ...tableRoutes,
  ...dashboardRoutes,
  ...nodeRoutes,
  ...fieldRoutes,
  ...planRoutes,
  ...baseRoutes,
  ...baseQueryRoutes,
  ...collaboratorRoutes,
  ...groupRoutes,
  ...rightsRoutes,
  ...explainRoutes,
  ...invitationRoutes,
  ...historyRoutes,
  ...recordRoutes,
  ...recordTemplateRoutes,
  ...queryRoutes,
  ...commentRoutes,
  ...exportRoutes,
  ...fileRoutes,
  ...importRoutes,
  ...spaceRoutes,
  ...spaceSearchRoutes,
  ...trashRoutes,
  ...templateRoutes,
  ...userRoutes,
  ...settingRoutes,
  ...adminRoutes,
  ...personalRoutes,
  ...shareRoutes,
  ...baseShareRoutes,
  ...accessTokenRoutes,
  ...authRoutes,
  ...organizationRoutes,
  ...scimRoutes,
  ...identityRoutes,
  ...auditRoutes,
  ...oauthRoutes,
  ...billingRoutes,
  ...sqlAccessRoutes,
  ...notificationRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...automationRoutes,
  ...workflowRoutes,
  ...buttonRoutes,
  ...jobRoutes,
  ...backupRoutes,
  ...absentRoutes,
];

const jobKinds: JobKind<Services>[] = [
  ...planJobs,
  ...sqlAccessJobs,
  ...invitationJobs,
  ...authJobs,
  ...auditJobs,
  ...organizationJobs,
  ...fieldJobs,
  ...fileJobs,
  ...importJobs,
  ...recordJobs,
  ...feedJobs([webhookFollower, automationFollower]),
  ...commentJobs,
  ...historyJobs,
  ...trashJobs,
  ...shareJobs,
  ...oauthJobs,
  ...notificationJobs,
  ...webhookJobs,
  ...automationJobs,
  ...jobJobs,
  ...backupJobs,
  ...adminJobs,
];

/** What the server runs without when it cannot be loaded. */
export const optionalParts: OptionalPart<unknown>[] = [pictureLibrary];

export const createServices = (db: Db, config: Config, overrides: Partial<Services> = {}): Services => {
  const services: Services = {
    db,
    config,
    catalog: createTableCatalog(),
    plans: overrides.plans ?? readPlans(config),
    signInProviders: overrides.signInProviders ?? readSignInProviders(config),
    now: () => new Date(),
    newId,
    publicUrl: () => config.publicUrl ?? `http://${config.host}:${config.port}`,
    secretKey: createSecretKey(config),
    // The address is known after the start.
    files: createFiles({
      config,
      secretKey: { derive: (...words) => services.secretKey.derive(...words) },
      publicUrl: () => services.publicUrl(),
      now: () => services.now(),
    }),
    live: silentLive,
    settleFeed: feedOperations,
    work: noWork,
    stopping: new AbortController().signal,
    backgroundErrors: createBackgroundErrors(),
    recent: createRecent(),
    logStream: process.stderr,
    ...overrides,
  };
  return services;
};

/** As many as the jobs of one process can use at once, and one for taking jobs and keeping their leases: no job waits for a connection of another. */
export const workConnections = connectionsFor(jobKinds);

/** Begins to work on jobs with a pool of its own, and sets `services.work`; answers how to stop within some seconds. */
export const startJobs = (services: Services, db: Db): ((seconds: number) => Promise<void>) => {
  // All else as it is at the time: streams are opened, and the address is known, after the start.
  const own: Services = {
    ...services,
    db,
    publicUrl: () => services.publicUrl(),
    get live() {
      return services.live;
    },
    get work() {
      return services.work;
    },
  };
  // Statements of a job are told from others by its kind.
  const kinds = jobKinds.map(
    (kind): JobKind<Services> => ({
      ...kind,
      run: (given, job) => kind.run({ ...given, db: db.as({ operation: `job ${kind.name}` }) }, job),
    }),
  );
  const started = startWork({ db, services: own, kinds, errors: services.backgroundErrors });
  services.work = started;
  return async (seconds) => {
    services.work = noWork;
    await started.stop(seconds);
  };
};

export const createApp = (services: Services): FastifyInstance => {
  const app = createServer(services, routes, optionalParts);
  services.backgroundErrors.logTo((work, error, untold) => {
    services.recent.noteError(work, error);
    app.log.error({ err: error, ...(untold === 0 ? {} : { untold }) }, `${work} failed; it is tried again`);
  });
  services.recent.logTo((slow) =>
    app.log.warn({ slow }, `a statement of ${slow.operation} took ${slow.milliseconds} ms`),
  );
  app.addHook('onReady', () => applyPlans(services));
  app.addHook('onReady', async () => {
    for (const part of optionalParts)
      await part
        .load()
        .catch((error: unknown) =>
          app.log.error({ err: error }, `the part "${part.name}" cannot be loaded: ${part.without}`),
        );
  });
  return app;
};
