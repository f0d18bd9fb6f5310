// Every setting: its name, what it may be, its default, and what it means.
import {
  type Declared,
  email,
  integer,
  type Kind,
  dnsServerList,
  networkList,
  oneOf,
  originList,
  password,
  secretText,
  streamTarget,
  type Setting,
  text,
  url,
} from './config-value.ts';

/** The tables in docs/guide/settings.md and the README repeat this list; a test compares them. */
export const settings: Setting[] = [];

const declare = <T>(
  name: string,
  kind: Kind<T>,
  fallback: string,
  meaning: string,
  { isSecret = false } = {},
): Declared<T> => {
  const declared = { name, kind, default: fallback, meaning, isSecret };
  settings.push(declared);
  return declared;
};

const declareSecret = <T>(name: string, kind: Kind<T>, meaning: string): Declared<T> =>
  declare(name, kind, '', meaning, { isSecret: true });

export const declared = {
  host: declare('HOST', text, '127.0.0.1', 'Address to listen on. `0.0.0.0` listens on every interface.'),
  port: declare('PORT', integer(0, 65_535), '3000', 'Port to listen on. `0` takes a free one.'),
  dataFolder: declare('ROWHOUSE_DATA', text, './data', 'Folder of the embedded PostgreSQL and of `credentials.json`.'),
  upgradeBackups: declare(
    'ROWHOUSE_UPGRADE_BACKUPS',
    integer(0, 1_000),
    '2',
    'How many backups are kept that were made before an upgrade, in `backups` of the data folder: the newest. `0`: none is made.',
  ),
  filesFolder: declare(
    'ROWHOUSE_FILES',
    text,
    '',
    'Folder of uploaded files. Default: `files` in the data folder. Several servers need one that they share, or `ROWHOUSE_S3_URL`.',
  ),
  s3Url: declareSecret(
    'ROWHOUSE_S3_URL',
    url('http:', 'https:'),
    'A bucket for uploaded files instead of a folder: `https://key:secret@host/bucket?region=eu-central-1`, of any service that speaks S3.',
  ),
  s3PublicUrl: declare(
    'ROWHOUSE_S3_PUBLIC_URL',
    url('http:', 'https:'),
    '',
    'Where browsers reach the service of `ROWHOUSE_S3_URL`, such as `https://s3.example.com`: uploads and downloads then go there directly, by signed addresses. The bucket has to allow PUT and GET from the address of the app (CORS).',
  ),
  fileLimit: declare(
    'ROWHOUSE_FILE_LIMIT',
    integer(1, Number.MAX_SAFE_INTEGER),
    '5368709120',
    'Largest file in bytes.',
  ),
  formFileMegabytes: declare(
    'ROWHOUSE_FORM_FILE_MEGABYTES',
    integer(1, 1_000_000_000),
    '200',
    'Megabytes that visitors of one public form can upload before they are in a record; all forms together twenty times as much.',
  ),
  accountFileMegabytes: declare(
    'ROWHOUSE_ACCOUNT_FILE_MEGABYTES',
    integer(1, 1_000_000_000),
    '20480',
    'Megabytes that one account can announce or upload before they are in a record.',
  ),
  spaceFileMegabytes: declare(
    'ROWHOUSE_SPACE_FILE_MEGABYTES',
    integer(1, 1_000_000_000),
    '51200',
    'Megabytes that can be uploaded for one space before they are in a record. The plan of the space limits all of its files.',
  ),
  waitingFileMegabytes: declare(
    'ROWHOUSE_WAITING_FILE_MEGABYTES',
    integer(1, 1_000_000_000),
    '102400',
    'Megabytes that all uploads together can have before they are in a record. One account, or one form, has at most a quarter of what it leaves to others.',
  ),
  waitingFileMinutes: declare(
    'ROWHOUSE_WAITING_FILE_MINUTES',
    integer(1, 525_600),
    '60',
    'Minutes until an uploaded file is removed that no record mentions. The file of an import stays while the import can go on.',
  ),
  fetchPrivate: declare(
    'ROWHOUSE_FETCH_PRIVATE',
    oneOf('yes', 'no'),
    'no',
    '`yes`: files may also be added from addresses of private networks, not only of the public Internet.',
  ),
  databaseUrl: declareSecret(
    'DATABASE_URL',
    url('postgres:', 'postgresql:'),
    'A PostgreSQL 15 or newer to use instead of the embedded one.',
  ),
  databaseWait: declare(
    'DATABASE_WAIT',
    integer(0, 3_600),
    '30',
    'Seconds to keep trying when the database is not reachable at the start.',
  ),
  databaseConnections: declare(
    'DATABASE_CONNECTIONS',
    integer(2, 500),
    '10',
    'Connections to the database, per server process.',
  ),
  secret: declareSecret(
    'ROWHOUSE_SECRET',
    secretText,
    'Key that keeps invitation codes and second factors unreadable in the database: 32 characters or more, the same for all servers on one database. Default: `secret.key` in the data folder, made when it is first needed.',
  ),
  statementTimeout: declare(
    'ROWHOUSE_STATEMENT_TIMEOUT',
    integer(1, 86_400),
    '30',
    'Seconds that a statement of a request may take in the database.',
  ),
  longStatementTimeout: declare(
    'ROWHOUSE_LONG_STATEMENT_TIMEOUT',
    integer(1, 86_400),
    '3600',
    'The same for what is known to take long: changes of fields, copies of tables and bases, background work.',
  ),
  temporaryMegabytes: declare(
    'ROWHOUSE_TEMPORARY_MEGABYTES',
    integer(1, 1_000_000),
    '4096',
    'Megabytes of temporary files that statements of requests may take in the database, per connection. Where the role of the server may set `temp_file_limit`: `rowhouse doctor` says so.',
  ),
  publicUrl: declare(
    'PUBLIC_URL',
    url('http:', 'https:'),
    '',
    'The address people reach this server at, used in links. Default: from `HOST` and `PORT`.',
  ),
  crossOrigins: declare(
    'ROWHOUSE_CORS_ORIGINS',
    originList,
    '*',
    'Origins whose pages may call the API with an access token: `*` for all, `none`, or a list separated by commas. Cookies never count for them.',
  ),
  logLevel: declare(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'warn',
    'How much is logged, as JSON lines on standard error.',
  ),
  accessLog: declare(
    'ROWHOUSE_ACCESS_LOG',
    oneOf('yes', 'no'),
    'no',
    '`yes`: a JSON line on standard error for every request that is answered, whatever `LOG_LEVEL` says.',
  ),
  slowStatement: declare(
    'ROWHOUSE_SLOW_STATEMENT',
    integer(0, 3_600_000),
    '1000',
    'Milliseconds from which a statement counts as slow: it is logged with the operation and the request it belongs to, and counted. `0`: none is.',
  ),
  telemetryEndpoint: declare(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    url('http:', 'https:'),
    '',
    'Where an OpenTelemetry collector takes OTLP over HTTP, such as `http://127.0.0.1:4318`: traces and metrics go there.',
  ),
  telemetryHeaders: declareSecret(
    'OTEL_EXPORTER_OTLP_HEADERS',
    text,
    'Headers for that collector: `name=value`, separated by commas.',
  ),
  telemetryName: declare('OTEL_SERVICE_NAME', text, 'rowhouse', 'Under which name.'),
  telemetryInterval: declare(
    'OTEL_METRIC_EXPORT_INTERVAL',
    integer(100, 3_600_000),
    '60000',
    'Milliseconds between two exports of metrics.',
  ),
  signUp: declare(
    'ROWHOUSE_SIGNUP',
    oneOf('open', 'invited', 'closed'),
    'open',
    'Who may create an account: anyone, only addresses that were invited, or nobody.',
  ),
  signInProvidersFile: declare(
    'ROWHOUSE_SIGN_IN_PROVIDERS',
    text,
    '',
    'A JSON file with the providers of OpenID Connect through which people can sign in: see [signing in](sign-in.md).',
  ),
  providerNetworks: declare(
    'ROWHOUSE_PROVIDER_NETWORKS',
    networkList,
    '',
    'Private networks in which providers may be that organisations name for their own sign-in, such as `10.0.0.0/8`, separated by commas. Without it only addresses of the public Internet.',
  ),
  dnsServers: declare(
    'ROWHOUSE_DNS_SERVERS',
    dnsServerList,
    '',
    'Name servers that are asked for the records of domains of organisations, such as `9.9.9.9` or `10.0.0.2:5353`, separated by commas. Default: those of the system.',
  ),
  invitationsPerHour: declare(
    'ROWHOUSE_INVITATIONS_PER_HOUR',
    integer(1, 1_000_000),
    '200',
    'How many people one account may invite or add within an hour.',
  ),
  addedToSpacesPerHour: declare(
    'ROWHOUSE_ADDED_TO_SPACES_PER_HOUR',
    integer(1, 1_000_000),
    '20',
    'To how many spaces all others together may add one account, without its consent, within an hour.',
  ),
  adminEmail: declare(
    'ROWHOUSE_ADMIN_EMAIL',
    email,
    'admin@rowhouse.local',
    'E-mail address of the administrator that the first start creates.',
  ),
  demo: declare(
    'ROWHOUSE_DEMO',
    oneOf('yes', 'no'),
    'no',
    '`yes`: the first start also makes a base to look at, with links, formulas, a board, a form and history. `rowhouse sample` makes one later.',
  ),
  adminPassword: declareSecret(
    'ROWHOUSE_ADMIN_PASSWORD',
    password,
    'Password of that administrator. Default: a random one, in `credentials.json` and shown once if the first start runs in a terminal.',
  ),
  bodyLimit: declare(
    'ROWHOUSE_BODY_LIMIT',
    integer(1_024, 1_073_741_824),
    '52428800',
    'Largest request body in bytes.',
  ),
  recordsPerRequest: declare(
    'ROWHOUSE_RECORDS_PER_REQUEST',
    integer(1, 1_000_000),
    '20000',
    'Most records in one create or update request.',
  ),
  requestsAtOnce: declare(
    'ROWHOUSE_REQUESTS_AT_ONCE',
    integer(1, 100_000),
    '256',
    'Requests that one server process works on at once; more are refused with 503.',
  ),
  socketsPerAddress: declare(
    'ROWHOUSE_SOCKETS_PER_ADDRESS',
    integer(1, 10_000),
    '2000',
    'Connections that one address (one /64 network of IPv6) may have open to one server process. Not with `TRUST_PROXY`: there it is for the proxy to limit.',
  ),
  streamsPerAccount: declare(
    'ROWHOUSE_STREAMS_PER_ACCOUNT',
    integer(1, 10_000),
    '1000',
    'Streams of events and connections to `/socket` that one account, or the visitors of shares at one address, may have open to one server process.',
  ),
  anonymousRequests: declare(
    'ROWHOUSE_ANONYMOUS_REQUESTS',
    integer(1, 1_000_000),
    '1000',
    'Requests without a valid credential that one address may send in a second to one server process.',
  ),
  sessionIdleHours: declare(
    'ROWHOUSE_SESSION_IDLE_HOURS',
    integer(1, 8_760),
    '168',
    'Hours after which a sign-in that is not used ends.',
  ),
  sessionHours: declare(
    'ROWHOUSE_SESSION_HOURS',
    integer(1, 8_760),
    '8760',
    'Hours after which a sign-in ends however much it is used.',
  ),
  metricsToken: declareSecret(
    'ROWHOUSE_METRICS_TOKEN',
    secretText,
    'Token (`Authorization: Bearer …`) with which `/metrics` is shown to others than this machine: 32 characters or more.',
  ),
  clientTimeout: declare(
    'ROWHOUSE_CLIENT_TIMEOUT',
    integer(1, 3_600),
    '120',
    'Seconds that a client may take to send a request, or to take more of its answer.',
  ),
  stopDelay: declare(
    'ROWHOUSE_STOP_DELAY',
    integer(0, 3_600),
    '0',
    'Seconds between `/health/ready` saying no and the end of listening when the server is stopped: time for a balancer to notice.',
  ),
  stopWait: declare(
    'ROWHOUSE_STOP_WAIT',
    integer(0, 3_600),
    '20',
    'Seconds that running requests and background work have to finish when the server is stopped.',
  ),
  plansFile: declare(
    'ROWHOUSE_PLANS',
    text,
    '',
    'Turns plans on: `default` for the four that come along, or a JSON file of your own. Without it, and without Stripe, nothing is limited.',
  ),
  stripeSecretKey: declareSecret(
    'STRIPE_SECRET_KEY',
    text,
    'Secret key of Stripe. With it and `STRIPE_WEBHOOK_SECRET` plans can be paid for.',
  ),
  stripeWebhookSecret: declareSecret(
    'STRIPE_WEBHOOK_SECRET',
    text,
    'Signing secret of the webhook `/api/billing/stripe/webhook`.',
  ),
  stripeUrl: declare(
    'STRIPE_API_URL',
    url('http:', 'https:'),
    'https://api.stripe.com',
    'Where Stripe is reached, or what stands in for it in tests.',
  ),
  notificationDays: declare(
    'ROWHOUSE_NOTIFICATION_DAYS',
    integer(1, 36_500),
    '90',
    'Days after which read notifications are removed.',
  ),
  feedDays: declare(
    'ROWHOUSE_FEED_DAYS',
    integer(1, 365),
    '7',
    'Days that changes of a base wait for a webhook that does not take them. Then the webhook is paused, and the owners of the space are notified.',
  ),
  feedEntries: declare(
    'ROWHOUSE_FEED_ENTRIES',
    integer(1, 1_000_000_000),
    '1000000',
    'The same as a number of write requests of the base.',
  ),
  automationDepth: declare(
    'ROWHOUSE_AUTOMATION_DEPTH',
    integer(1, 100),
    '5',
    'How many automations may start each other in a row, before the chain is ended as a loop.',
  ),
  automationRunsPerMinute: declare(
    'ROWHOUSE_AUTOMATION_RUNS_PER_MINUTE',
    integer(1, 1_000_000),
    '6000',
    'Runs of automations that start in a base in a minute. Others wait for the next one.',
  ),
  webhookNetworks: declare(
    'ROWHOUSE_WEBHOOK_NETWORKS',
    networkList,
    '',
    'Private networks that webhooks and automations may send to, such as `10.0.0.0/8`, separated by commas. Without it only addresses of the public Internet.',
  ),
  smtpUrl: declareSecret(
    'SMTP_URL',
    url('smtp:', 'smtps:'),
    'Mail server, such as `smtp://user:password@mail.example.com:587`: for notifications, invitations, forgotten passwords, and codes that verify addresses. Without it no mail is sent.',
  ),
  smtpFrom: declare('SMTP_FROM', text, 'Rowhouse <rowhouse@localhost>', 'Sender of those mails.'),
  auditStream: declare(
    'ROWHOUSE_AUDIT_STREAM',
    streamTarget,
    '',
    'Where the audit log is streamed to as JSON lines, for a SIEM: a file (`/var/log/rowhouse/audit.jsonl`), or an address (`https://…`) that takes POST requests. Plain `http://` and private addresses only within `ROWHOUSE_WEBHOOK_NETWORKS`.',
  ),
  auditStreamToken: declareSecret(
    'ROWHOUSE_AUDIT_STREAM_TOKEN',
    text,
    'Sent to that address as `Authorization: Bearer …`.',
  ),
  sqlPort: declare(
    'ROWHOUSE_SQL_PORT',
    integer(1, 65_535),
    '',
    'Port of 127.0.0.1 on which the embedded PostgreSQL listens too, for SQL access to bases.',
  ),
  trustProxy: declare(
    'TRUST_PROXY',
    oneOf('yes', 'no'),
    'no',
    '`yes` behind a reverse proxy: the address of a client is the last one in `X-Forwarded-For`.',
  ),
};
