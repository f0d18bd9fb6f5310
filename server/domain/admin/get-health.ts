// Whether the parts of the instance work, which versions they are of, and what should still be set up.
import { statfs } from 'node:fs/promises';
import type { getAdminHealth as endpoint, HealthPart } from '@rowhouse/contract/admin-health.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { Context } from '../../context.ts';
import { newestVersion } from '../../db/migrate.ts';
import { versionOf } from '../../db/version.ts';
import { countJobs } from '../../work/job.sql.ts';
import { pictureLibrary } from '../file/image.ts';
import { type DatabaseFacts, selectDatabaseFacts } from './health.sql.ts';
import { selectStreamState } from './instance-audit.sql.ts';
import { timeOrNull } from './page.sql.ts';
import { selectServers } from './server.sql.ts';

type Health = ResponseOf<typeof endpoint>;
type Ctx = Pick<Context, 'db' | 'config' | 'publicUrl'>;

const gigabyte = 1_073_741_824;

const size = (bytes: number): string =>
  bytes >= gigabyte ? `${(bytes / gigabyte).toFixed(1)} GB` : `${Math.ceil(bytes / 1_048_576)} MB`;

const program = (): HealthPart => {
  const { version, commit } = versionOf();
  return {
    name: 'Rowhouse',
    state: 'ok',
    version,
    detail: commit === null ? 'Not built from a repository' : `Commit ${commit.slice(0, 12)}`,
  };
};

const node = (): HealthPart => ({
  name: 'Node.js',
  state: 'ok',
  version: process.versions.node,
  detail: `Running for ${Math.floor(process.uptime() / 3_600)} hours, ${size(process.memoryUsage.rss())} of memory (this process)`,
});

const database = ({ version, bytes, isDurable, connections, mostConnections }: DatabaseFacts): HealthPart => ({
  name: 'PostgreSQL',
  state: isDurable ? (connections > 0.9 * mostConnections ? 'warning' : 'ok') : 'problem',
  version,
  detail: isDurable
    ? `${size(bytes)}, ${connections} of ${mostConnections} connections in use`
    : 'fsync or synchronous_commit is off: acknowledged writes can be lost',
});

const schema = ({ schema: present }: DatabaseFacts): HealthPart => {
  const newest = newestVersion();
  return {
    name: 'Database schema',
    state: present === newest ? 'ok' : 'warning',
    version: String(present),
    detail:
      present === newest ? 'The newest' : `This server knows version ${newest}: servers of two versions are running`,
  };
};

const files = async ({ config }: Ctx): Promise<HealthPart> => {
  const name = 'Uploaded files';
  if (config.s3Url !== null) return { name, state: 'ok', version: null, detail: 'In a bucket (ROWHOUSE_S3_URL)' };
  const { bavail, bsize } = await statfs(config.filesFolder).catch(() => statfs(config.dataFolder));
  const free = bavail * bsize;
  return {
    name,
    state: free < gigabyte ? 'problem' : free < 5 * gigabyte ? 'warning' : 'ok',
    version: null,
    detail: `In a folder, ${size(free)} free`,
  };
};

const pictures = (): HealthPart => {
  const fault = pictureLibrary.fault();
  return {
    name: 'Pictures',
    state: fault === undefined ? 'ok' : 'problem',
    version: null,
    detail: fault === undefined ? 'Sizes and thumbnails are made' : pictureLibrary.without,
  };
};

const mail = ({ config }: Ctx): HealthPart => ({
  name: 'E-mail',
  state: config.smtpUrl === null ? 'warning' : 'ok',
  version: null,
  detail:
    config.smtpUrl === null
      ? 'Off: addresses are not verified, and forgotten passwords need an administrator (SMTP_URL)'
      : `Sent as ${config.smtpFrom}`,
});

const address = ({ config, publicUrl }: Ctx): HealthPart => {
  const url = new URL(publicUrl());
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return {
    name: 'Address',
    state: url.protocol === 'https:' || (isLocal && config.host === '127.0.0.1') ? 'ok' : 'warning',
    version: null,
    detail:
      config.publicUrl === null
        ? `${url.origin}, from HOST and PORT: links in e-mails lead there (PUBLIC_URL)`
        : url.protocol === 'https:'
          ? url.origin
          : `${url.origin} is not encrypted: put a proxy with TLS before it`,
  };
};

/** Seconds that something may be late before somebody should look. */
const late = 300;

const jobs = async ({ db }: Ctx): Promise<HealthPart> => {
  const counts = await countJobs(db);
  const sum = (state: string): number =>
    counts.filter((row) => row.state === state).reduce((total, { count }) => total + count, 0);
  const delay = Math.max(0, ...counts.filter(({ state }) => state === 'waiting').map((row) => row.late));
  return {
    name: 'Background work',
    state: delay > late ? 'problem' : sum('failed') > 0 ? 'warning' : 'ok',
    version: null,
    detail: `${sum('running')} running, ${sum('waiting')} waiting, ${sum('failed')} failed within a week${delay > late ? `; the oldest is ${Math.round(delay / 60)} minutes late` : ''}`,
  };
};

const streamOf = async ({ db, config }: Ctx): Promise<Health['auditStream']> => {
  if (config.auditStream === null) return null;
  const { backlog, oldestTime, sentTime, error } = await selectStreamState(db);
  return {
    target: 'file' in config.auditStream ? 'file' : 'address',
    backlog,
    oldestTime: timeOrNull(oldestTime),
    sentTime: timeOrNull(sentTime),
    error,
  };
};

const streamPart = (stream: NonNullable<Health['auditStream']>): HealthPart => ({
  name: 'Stream of the audit log',
  state: stream.error === null ? 'ok' : 'problem',
  version: null,
  detail:
    stream.error === null
      ? `To ${stream.target === 'file' ? 'a file' : 'an address'}, ${stream.backlog} entries waiting`
      : `${stream.backlog} entries waiting: ${stream.error}`,
});

const servers = async ({ db }: Ctx): Promise<HealthPart> => {
  const running = await selectServers(db);
  const versions = new Set(running.map(({ version, commit }) => `${version} ${commit ?? ''}`));
  const shown = running.map(({ host, version }) => (versions.size > 1 ? `${host} (${version})` : host)).slice(0, 20);
  return {
    name: 'Server processes',
    state: versions.size > 1 ? 'warning' : 'ok',
    version: null,
    detail: `${running.length} running${shown.length === 0 ? '' : `: ${shown.join(', ')}`}${versions.size > 1 ? '. They are of different builds: restart the older ones' : ''}`,
  };
};

/** What cannot be looked at is itself a problem. */
const looked = async (name: string, look: () => Promise<HealthPart>): Promise<HealthPart> => {
  try {
    return await look();
  } catch (error) {
    return { name, state: 'problem', version: null, detail: (error as Error).message };
  }
};

const worst = (parts: readonly HealthPart[]): Health['state'] =>
  (['problem', 'warning'] as const).find((state) => parts.some((part) => part.state === state)) ?? 'ok';

export const getHealth = async (context: Ctx): Promise<Health> => {
  const facts = await selectDatabaseFacts(context.db);
  const auditStream = await streamOf(context);
  const parts = [
    program(),
    node(),
    await looked('Server processes', () => servers(context)),
    database(facts),
    schema(facts),
    await looked('Uploaded files', () => files(context)),
    pictures(),
    address(context),
    mail(context),
    await looked('Background work', () => jobs(context)),
    ...(auditStream === null ? [] : [streamPart(auditStream)]),
  ];
  return { state: worst(parts), parts, auditStream };
};
