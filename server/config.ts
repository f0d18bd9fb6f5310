// Every setting, read in one place from environment variables. A wrong value stops the start with one line.
import { join, resolve } from 'node:path';
import { type Declared, type Env, read, type StreamTarget } from './config-value.ts';
import { declared } from './settings.ts';

type Raw = { [K in keyof typeof declared]: (typeof declared)[K] extends Declared<infer T> ? T : never };

export interface Config
  extends Omit<
    Raw,
    | 'databaseUrl'
    | 'secret'
    | 'publicUrl'
    | 'metricsToken'
    | 'adminPassword'
    | 'smtpUrl'
    | 'trustProxy'
    | 's3Url'
    | 's3PublicUrl'
    | 'fetchPrivate'
    | 'plansFile'
    | 'signInProvidersFile'
    | 'sqlPort'
    | 'stripeSecretKey'
    | 'stripeWebhookSecret'
    | 'webhookNetworks'
    | 'auditStream'
    | 'auditStreamToken'
    | 'accessLog'
    | 'demo'
    | 'telemetryEndpoint'
    | 'telemetryHeaders'
    | 'providerNetworks'
    | 'dnsServers'
  > {
  databaseUrl: string | null;
  secret: string | null;
  publicUrl: string | null;
  metricsToken: string | null;
  adminPassword: string | null;
  smtpUrl: string | null;
  trustProxy: boolean;
  s3Url: string | null;
  s3PublicUrl: string | null;
  fetchPrivate: boolean;
  /** `default` stands for the file that comes along. */
  plansFile: string | null;
  signInProvidersFile: string | null;
  sqlPort: number | null;
  stripeSecretKey: string | null;
  stripeWebhookSecret: string | null;
  webhookNetworks: readonly string[];
  auditStream: StreamTarget | null;
  auditStreamToken: string | null;
  accessLog: boolean;
  demo: boolean;
  telemetryEndpoint: string | null;
  telemetryHeaders: string | null;
  providerNetworks: readonly string[];
  dnsServers: readonly string[];
}

export const readConfig = (env: Env): Config => {
  const raw = Object.fromEntries(
    Object.entries(declared).map(([key, setting]) => [key, read(env, setting as Declared<unknown>)]),
  ) as {
    [K in keyof Raw]: Raw[K] | null;
  };
  return {
    ...(raw as Raw),
    dataFolder: resolve(raw.dataFolder as string),
    databaseUrl: raw.databaseUrl,
    secret: raw.secret,
    publicUrl: raw.publicUrl === null ? null : raw.publicUrl.replace(/\/+$/, ''),
    metricsToken: raw.metricsToken,
    adminPassword: raw.adminPassword,
    smtpUrl: raw.smtpUrl,
    trustProxy: raw.trustProxy === 'yes',
    filesFolder: resolve(raw.filesFolder ?? join(raw.dataFolder as string, 'files')),
    s3Url: raw.s3Url,
    s3PublicUrl: raw.s3PublicUrl,
    fetchPrivate: raw.fetchPrivate === 'yes',
    plansFile: raw.plansFile === null || raw.plansFile === 'default' ? raw.plansFile : resolve(raw.plansFile),
    signInProvidersFile: raw.signInProvidersFile === null ? null : resolve(raw.signInProvidersFile),
    sqlPort: raw.sqlPort,
    stripeSecretKey: raw.stripeSecretKey,
    stripeWebhookSecret: raw.stripeWebhookSecret,
    webhookNetworks: raw.webhookNetworks ?? [],
    auditStream: raw.auditStream,
    auditStreamToken: raw.auditStreamToken,
    accessLog: raw.accessLog === 'yes',
    demo: raw.demo === 'yes',
    telemetryEndpoint: raw.telemetryEndpoint,
    telemetryHeaders: raw.telemetryHeaders,
    providerNetworks: raw.providerNetworks ?? [],
    dnsServers: raw.dnsServers ?? [],
  };
};
