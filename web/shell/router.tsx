// Every address of the app, in one table.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { InvitePage } from '../auth/invite-page.tsx';
import { SignInPage } from '../auth/sign-in-page.tsx';
import { SignUpPage } from '../auth/sign-up-page.tsx';
import { focusPage } from '../ui/focus.ts';
import { Loading } from '../ui/loading.tsx';
import { ErrorPage } from '../app/error-page.tsx';
import { redirectSearch } from '../app/redirect.ts';
import { meQuery } from '../app/me.ts';
import { problemSearch } from '../app/provider-problem.tsx';
import { NotFoundPage } from '../app/not-found-page.tsx';
import { queryClient } from '../app/query-client.ts';
import { auditSearch, peopleSearch, spacesSearch } from './admin-search.ts';
import { Shell } from './shell.tsx';
import { skipWhenSignedIn } from './skip-when-signed-in.ts';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: ErrorPage });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>) => ({ ...redirectSearch(search), ...problemSearch(search) }),
  beforeLoad: skipWhenSignedIn,
  component: SignInPage,
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  validateSearch: redirectSearch,
  beforeLoad: skipWhenSignedIn,
  component: SignUpPage,
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('../auth/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('../auth/reset-password-page.tsx'), 'ResetPasswordPage'),
});

// Where the OAuth server sends people who are not signed in.
const oauthSignIn = createRoute({
  getParentRoute: () => root,
  path: '/auth/login',
  validateSearch: redirectSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/login', search });
  },
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ location }) => {
    if ((await queryClient.ensureQueryData(meQuery)) === null)
      throw redirect({ to: '/login', search: location.href === '/' ? {} : { redirect: location.href } });
  },
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  // A template to begin a base from.
  validateSearch: (search: Record<string, unknown>): { template?: string | undefined } => ({
    template: typeof search['template'] === 'string' ? search['template'] : undefined,
  }),
  component: lazyRouteComponent(() => import('../home/home-page.tsx'), 'HomePage'),
});

const invite = createRoute({
  getParentRoute: () => signedIn,
  path: '/invite',
  validateSearch: (search: Record<string, unknown>) => ({
    invitationId: String(search['invitationId'] ?? ''),
    invitationCode: String(search['invitationCode'] ?? ''),
  }),
  component: InvitePage,
});

const consent = createRoute({
  getParentRoute: () => signedIn,
  path: '/oauth/decision',
  validateSearch: (search: Record<string, unknown>) => ({ transaction_id: String(search['transaction_id'] ?? '') }),
  component: lazyRouteComponent(() => import('../oauth/consent-page.tsx'), 'ConsentPage'),
});

const device = createRoute({
  getParentRoute: () => signedIn,
  path: '/oauth/device',
  component: lazyRouteComponent(() => import('../oauth/device-page.tsx'), 'DevicePage'),
});

const trash = createRoute({
  getParentRoute: () => signedIn,
  path: '/trash',
  // Of one base, when it is named.
  validateSearch: (search: Record<string, unknown>): { base?: string | undefined } => ({
    base: typeof search['base'] === 'string' ? search['base'] : undefined,
  }),
  component: lazyRouteComponent(() => import('../home/trash-page.tsx'), 'TrashPage'),
});

const space = createRoute({
  getParentRoute: () => signedIn,
  path: '/space/$spaceId',
  component: lazyRouteComponent(() => import('../space/space-page.tsx'), 'SpacePage'),
});

const plan = createRoute({
  getParentRoute: () => signedIn,
  path: '/space/$spaceId/plan',
  component: lazyRouteComponent(() => import('../space/plan-page.tsx'), 'PlanPage'),
});

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/space/$spaceId/audit',
  component: lazyRouteComponent(() => import('../space/audit-page.tsx'), 'AuditPage'),
});

const shares = createRoute({
  getParentRoute: () => signedIn,
  path: '/space/$spaceId/shares',
  component: lazyRouteComponent(() => import('../space/shares-page.tsx'), 'SharesPage'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: problemSearch,
  component: lazyRouteComponent(() => import('../account/account-page.tsx'), 'AccountPage'),
});

const accessTokens = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/tokens',
  component: lazyRouteComponent(() => import('../account/tokens-page.tsx'), 'TokensPage'),
});

const oauthApps = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/apps',
  component: lazyRouteComponent(() => import('../account/oauth-apps-page.tsx'), 'OauthAppsPage'),
});

const oauthApp = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/apps/$clientId',
  component: lazyRouteComponent(() => import('../account/oauth-app-page.tsx'), 'OauthAppPage'),
});

const authorizedApps = createRoute({
  getParentRoute: () => signedIn,
  path: '/account/authorized',
  component: lazyRouteComponent(() => import('../account/authorized-apps-page.tsx'), 'AuthorizedAppsPage'),
});

const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/organization',
  component: lazyRouteComponent(() => import('../organization/organization-page.tsx'), 'OrganizationPage'),
});

const admin = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  beforeLoad: () => {
    throw redirect({ to: '/admin/people' });
  },
});

const adminPeople = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/people',
  validateSearch: peopleSearch,
  component: lazyRouteComponent(() => import('../admin/people-page.tsx'), 'PeoplePage'),
});

const adminPerson = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/people/$userId',
  component: lazyRouteComponent(() => import('../admin/person-page.tsx'), 'PersonPage'),
});

const adminSpaces = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/spaces',
  validateSearch: spacesSearch,
  component: lazyRouteComponent(() => import('../admin/spaces-page.tsx'), 'SpacesPage'),
});

const adminSettings = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/settings',
  component: lazyRouteComponent(() => import('../admin/settings-page.tsx'), 'SettingsPage'),
});

const adminJobs = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/jobs',
  component: lazyRouteComponent(() => import('../admin/jobs-page.tsx'), 'JobsPage'),
});

const adminHealth = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/health',
  component: lazyRouteComponent(() => import('../admin/health-page.tsx'), 'HealthPage'),
});

const adminAudit = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../admin/audit-page.tsx'), 'AuditPage'),
});

const base = createRoute({
  getParentRoute: () => signedIn,
  path: '/base/$baseId',
  component: lazyRouteComponent(() => import('../table/base-page.tsx'), 'BasePage'),
});

const baseIndex = createRoute({
  getParentRoute: () => base,
  path: '/',
  component: lazyRouteComponent(() => import('../table/first-table-page.tsx'), 'FirstTablePage'),
});

const basePeople = createRoute({
  getParentRoute: () => base,
  path: '/people',
  component: lazyRouteComponent(() => import('../base/base-people-page.tsx'), 'BasePeoplePage'),
});

const baseRights = createRoute({
  getParentRoute: () => base,
  path: '/rights',
  component: lazyRouteComponent(() => import('../base/rights/rights-page.tsx'), 'RightsPage'),
});

const baseMap = createRoute({
  getParentRoute: () => base,
  path: '/map',
  component: lazyRouteComponent(() => import('../base/base-map-page.tsx'), 'BaseMapPage'),
});

const automations = createRoute({
  getParentRoute: () => base,
  path: '/automations',
  component: lazyRouteComponent(() => import('../automation/automations-page.tsx'), 'AutomationsPage'),
});

const automation = createRoute({
  getParentRoute: () => base,
  path: '/automations/$automationId',
  component: lazyRouteComponent(() => import('../automation/automation-page.tsx'), 'AutomationPage'),
});

const webhooks = createRoute({
  getParentRoute: () => base,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../webhook/webhooks-page.tsx'), 'WebhooksPage'),
});

const newWebhook = createRoute({
  getParentRoute: () => base,
  path: '/webhooks/new',
  component: lazyRouteComponent(() => import('../webhook/new-webhook-page.tsx'), 'NewWebhookPage'),
});

const webhook = createRoute({
  getParentRoute: () => base,
  path: '/webhooks/$webhookId',
  component: lazyRouteComponent(() => import('../webhook/webhook-page.tsx'), 'WebhookPage'),
});

const dashboard = createRoute({
  getParentRoute: () => base,
  path: '/dashboard/$dashboardId',
  // What the reader has filtered by, see dashboard/reader-filters.ts.
  validateSearch: (search: Record<string, unknown>): { filters?: string | undefined } => ({
    filters:
      search['filters'] === undefined
        ? undefined
        : typeof search['filters'] === 'string'
          ? search['filters']
          : JSON.stringify(search['filters']),
  }),
  component: lazyRouteComponent(() => import('../dashboard/dashboard-page.tsx'), 'DashboardPage'),
});

interface TableSearch {
  view?: string | undefined;
  record?: string | undefined;
  /** Records that were opened from links, see record/record-stack.ts. */
  stack?: string | undefined;
  /** The comment that a notification is about: the comments of the record are shown. */
  comment?: string | undefined;
  recordId?: undefined;
  commentId?: undefined;
}

const table = createRoute({
  getParentRoute: () => base,
  path: '/$tableId',
  validateSearch: (search: Record<string, unknown>): TableSearch => ({
    view: typeof search['view'] === 'string' ? search['view'] : undefined,
    record: [search['record'], search['recordId']].find((id): id is string => typeof id === 'string'),
    stack: typeof search['stack'] === 'string' ? search['stack'] : undefined,
    comment: [search['comment'], search['commentId']].find((id): id is string => typeof id === 'string'),
    // As links in notifications have it.
    recordId: undefined,
    commentId: undefined,
  }),
  component: lazyRouteComponent(() => import('../table/table-page.tsx'), 'TablePage'),
});

const tableApi = createRoute({
  getParentRoute: () => base,
  path: '/$tableId/api',
  component: lazyRouteComponent(() => import('../developers/table-api-page.tsx'), 'TableApiPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signUp,
    forgotPassword,
    resetPassword,
    oauthSignIn,
    signedIn.addChildren([
      home,
      invite,
      consent,
      device,
      trash,
      space,
      plan,
      audit,
      shares,
      account,
      accessTokens,
      oauthApps,
      oauthApp,
      authorizedApps,
      organization,
      admin,
      adminPeople,
      adminPerson,
      adminSpaces,
      adminSettings,
      adminJobs,
      adminHealth,
      adminAudit,
      base.addChildren([
        baseIndex,
        basePeople,
        baseRights,
        baseMap,
        automations,
        automation,
        webhooks,
        newWebhook,
        webhook,
        dashboard,
        table,
        tableApi,
      ]),
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: Loading,
  // Whatever is there is shown, also when the wait was just long enough to say so.
  defaultPendingMinMs: 0,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: false,
});
router.subscribe('onRendered', ({ pathChanged }) => {
  if (pathChanged) focusPage();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
