// The files that deploy Rowhouse, kept equal to what the server reads, answers and needs. None of them is run here.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../server/config.ts';
import { settings } from '../server/settings.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

const names = settings.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]));
const secretNames = settings.filter(({ isSecret }) => isSecret).map(({ name }) => name);
const defaults = readConfig({});

interface Service {
  build?: string;
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  stop_grace_period?: string;
  read_only?: boolean;
}
interface Compose {
  services: Record<'server' | 'database' | 'store' | 'bucket' | 'proxy', Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, null>;
}
const compose = parse(read('deploy/compose.yaml')) as Compose;

interface Values {
  secret: { settings: string[] };
  settings: Record<string, string>;
  terminationGracePeriodSeconds: number;
}
const values = parse(read('deploy/chart/values.yaml')) as Values;
const templates = readdirSync(join(root, 'deploy/chart/templates')).map((name) => ({
  name,
  text: read(`deploy/chart/templates/${name}`),
}));
const template = (name: string): string => templates.find((one) => one.name === name)?.text ?? '';

const dockerfile = read('Dockerfile');
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
const imageEnvironment = Object.fromEntries(
  (/^ENV (.+)$/m.exec(lastStage)?.[1] ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
);
const unit = read('deploy/rowhouse.service');
const unitValue = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

test('every variable that the image, the compose file, the chart and the unit set is a setting', () => {
  const set = [
    ...Object.keys(imageEnvironment).filter((name) => name !== 'NODE_ENV'),
    ...Object.keys(compose.services.server.environment ?? {}),
    ...Object.keys(values.settings),
    ...values.secret.settings.map((name) => `${name}_FILE`),
    ...[...unit.matchAll(/^Environment=(\w+)/gm)].map(([, name]) => name as string),
    ...[
      ...`${templates.map(({ text }) => text).join('\n')}\n${read('deploy/chart/values.yaml')}`.matchAll(
        /\b(?:ROWHOUSE|DATABASE|SMTP|STRIPE)_[A-Z_]+\b/g,
      ),
    ].map(([name]) => name),
  ];
  expect(set.length).toBeGreaterThan(20);
  expect(set.filter((name) => !names.includes(name))).toEqual([]);
});

test('secrets are handed over as files alone', () => {
  for (const set of [
    Object.keys(compose.services.server.environment ?? {}),
    Object.keys(values.settings),
    unit.split(/[\s=]/),
  ])
    expect(set.filter((name) => secretNames.includes(name))).toEqual([]);
  expect(values.secret.settings.filter((name) => !secretNames.includes(name))).toEqual([]);
});

test('the image runs the package as an account that is not root, and writes to /data and /tmp alone', () => {
  expect(lastStage).toMatch(/^USER 1000:1000$/m);
  expect(lastStage).toMatch(/^VOLUME \/data$/m);
  expect(lastStage).toMatch(/^STOPSIGNAL SIGTERM$/m);
  expect(imageEnvironment).toMatchObject({ HOST: '0.0.0.0', PORT: String(defaults.port), ROWHOUSE_DATA: '/data' });
  expect(lastStage).toMatch(new RegExp(`^EXPOSE ${defaults.port}$`, 'm'));
  // Without emulation for other processors: nothing is run in the image itself.
  expect(lastStage).not.toMatch(/^RUN /m);
  expect(lastStage).toContain('ENTRYPOINT ["node", "/app/bin/rowhouse.mjs"]');
  expect(read('scripts/package.mjs')).toContain("bin: { rowhouse: 'bin/rowhouse.mjs' }");
  const paths = (compose.services.server.volumes ?? []).map((volume) => volume.split(':')[1]);
  expect(compose.services.server.read_only).toBe(true);
  expect(paths).toEqual(['/data', '/tmp']);
  for (const path of paths) expect(template('deployment.yaml')).toContain(`mountPath: ${path} }`);
  expect(template('deployment.yaml')).toMatch(/readOnlyRootFilesystem: true[\s\S]*containerPort: 3000/);
  expect(template('deployment.yaml')).toMatch(/runAsNonRoot: true\n\s+runAsUser: 1000\n/);
});

test('probes ask what the server answers', () => {
  const served = read('server/http/server.ts') + read('server/http/metrics.ts') + read('server/app.ts');
  const asked = [dockerfile, read('deploy/Caddyfile'), ...templates.map(({ text }) => text)].flatMap((text) =>
    [...text.matchAll(/\/(?:health(?:\/\w+)?|metrics)\b/g)].map(([path]) => path),
  );
  expect([...new Set(asked)].toSorted()).toEqual(['/health', '/health/ready', '/metrics']);
  for (const path of asked) expect(served).toContain(`'${path}'`);
  expect(read('deploy/Caddyfile')).toContain(`reverse_proxy server:${defaults.port} {`);
});

test('a server has the time to stop that its settings give it', () => {
  const seconds = [
    [Number.parseInt(compose.services.server.stop_grace_period ?? '', 10), compose.services.server.environment],
    [values.terminationGracePeriodSeconds, values.settings],
    [Number(unitValue('TimeoutStopSec')), {}],
  ] as const;
  for (const [given, environment] of seconds) {
    const { ROWHOUSE_STOP_DELAY: delay = '', ROWHOUSE_STOP_WAIT: wait = '' } = environment as Record<string, string>;
    const { stopDelay, stopWait } = readConfig({ ROWHOUSE_STOP_DELAY: delay, ROWHOUSE_STOP_WAIT: wait });
    expect(given).toBeGreaterThan(stopDelay + stopWait + 5);
  }
});

test('the secrets that are made are those of the compose file, and the server takes them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-deploy-'));
  try {
    cpSync(join(root, 'deploy/make-secrets.sh'), join(folder, 'make-secrets.sh'));
    const make = (): Record<string, string> => {
      execFileSync('sh', [join(folder, 'make-secrets.sh')]);
      const made = readdirSync(join(folder, 'secrets'));
      return Object.fromEntries(made.map((name) => [name, readFileSync(join(folder, 'secrets', name), 'utf8')]));
    };
    const first = make();
    expect(make()).toEqual(first);
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    expect(Object.keys(first).toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
    for (const [name, { file }] of Object.entries(compose.secrets)) expect(file).toBe(`./secrets/${name}`);
    for (const { environment = {}, secrets = [] } of Object.values(compose.services))
      for (const value of Object.values(environment).filter((text) => text.startsWith('/run/secrets/')))
        expect(secrets).toContain(value.slice('/run/secrets/'.length));
    const { environment = {} } = compose.services.server;
    const config = readConfig(
      Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          value.replace('/run/secrets', join(folder, 'secrets')).replace(/\$\{[^}]+\}/, 'rows.example.com'),
        ]),
      ),
    );
    const { password, hostname } = new URL(config.databaseUrl as string);
    expect(`${password}\n`).toBe(first['database-password']);
    expect(compose.services).toHaveProperty(hostname);
    const store = new URL(config.s3Url as string);
    expect(compose.services).toHaveProperty(store.hostname);
    expect(JSON.parse(first['s3.json'] as string)).toMatchObject({
      identities: [{ credentials: [{ accessKey: store.username, secretKey: store.password }] }],
    });
    expect(read('deploy/compose.yaml')).toContain(`http://${store.host}${store.pathname})`);
    expect(config).toMatchObject({ publicUrl: 'https://rows.example.com', trustProxy: true, signUp: 'invited' });
    for (const secret of [config.secret, config.metricsToken, config.adminPassword]) expect(secret).not.toBeNull();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a build in a container reads all that it needs, and what is secret or built stays outside', () => {
  const rules = read('.dockerignore').split('\n');
  expect(rules.find((rule) => !rule.startsWith('#'))).toBe('*');
  for (const path of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    'contract',
    'server',
    'web',
    'scripts',
    'docs',
    'README.md',
  ])
    expect(rules).toContain(`!${path}`);
  for (const name of ['LICENSE', 'CHANGELOG.md', 'SECURITY.md']) expect(rules).toContain(`!${name}`);
  expect(rules).not.toContain('!deploy');
  expect(read('.gitignore').split('\n')).toContain('deploy/secrets/');
});

test('every value that the chart reads is in its values.yaml, with its version that of the server', () => {
  const has = (path: string): boolean => {
    let found: unknown = values;
    for (const part of path.split('.')) {
      if (typeof found !== 'object' || found === null || !(part in found)) return false;
      found = (found as Record<string, unknown>)[part];
    }
    return true;
  };
  const asked = templates.flatMap(({ text }) =>
    [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path as string),
  );
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((path) => !has(path))).toEqual([]);
  for (const { text } of templates)
    expect(text.match(/\{\{-? *(?:if|range|with|define)\b/g)?.length ?? 0).toBe(
      text.match(/\{\{-? *end\b/g)?.length ?? 0,
    );
  const { version } = JSON.parse(read('server/package.json')) as { version: string };
  expect(parse(read('deploy/chart/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  expect(unit).toContain(`rowhouse-${version}.tgz`);
});
