// What Rowhouse is made of: permissive licences, nothing that its makers have given up, no weakness that is known of.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { documents, faultsOf, isPermissive, runtimePackages } from '../../scripts/dependencies.mjs';
import { type Failures, noFailures } from '../failures.ts';
import type { Outcome, Part, Setting } from '../part.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const npm = async (...args: string[]): Promise<string> =>
  (
    await run('npm', args, { cwd: root, maxBuffer: 1 << 28 }).catch((error: { stdout: string }) => ({
      stdout: error.stdout,
    }))
  ).stdout;

/** The check would notice. */
const proveCheck = (failures: Failures): void => {
  const good = ['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND ISC', '(BSD-2-Clause OR MIT OR Apache-2.0)'];
  const bad = [
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'LGPL-2.1',
    'MPL-2.0',
    'SSPL-1.0',
    'MIT AND GPL-2.0',
    'UNLICENSED',
    'SEE LICENSE IN LICENSE',
    '',
    undefined,
  ];
  failures.none(
    'licences that were refused wrongly',
    good.filter((licence) => !isPermissive(licence)),
  );
  failures.none(
    'licences that were let in wrongly',
    bad.filter((licence) => isPermissive(licence)),
  );
};

const proveFiles = (failures: Failures): number => {
  const packages = runtimePackages();
  failures.none('packages that must not be', faultsOf(packages));
  failures.none(
    'documents out of date',
    Object.entries(documents())
      .filter(([file, text]) => readFileSync(join(root, file), 'utf8') !== text)
      .map(([file]) => file),
  );
  // What is installed says the same of itself as the lockfile does.
  const installed = packages.filter(({ path }) => existsSync(join(root, path, 'package.json')));
  const told = installed.filter(({ path, licence, version }) => {
    const own = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as {
      license?: string;
      version: string;
    };
    return own.version !== version || (typeof own.license === 'string' && own.license !== licence);
  });
  failures.none(
    'packages that are not what the lockfile says',
    told.map(({ name }) => name),
  );
  failures.none(
    'addresses or paths of a machine in the bill of materials',
    documents()['docs/sbom.cdx.json'].match(/https?:\/\/(?!cyclonedx\.org)[^"]*|"\/[a-z]+\/[^"]*/g) ?? [],
  );
  return packages.length;
};

interface Published {
  'dist-tags': { latest: string };
  time?: Record<string, string>;
  versions?: Record<string, { deprecated?: string }>;
}

/** Of the registry that npm uses: when something was last published, and whether this version is deprecated. */
const askRegistry = async (failures: Failures, say: (line: string) => void): Promise<Outcome['figures']> => {
  const registry = (await npm('config', 'get', 'registry')).trim().replace(/\/$/, '');
  const packages = [...new Map(runtimePackages().map((item) => [`${item.name}@${item.version}`, item])).values()];
  const ages: { name: string; years: number }[] = [];
  const queue = [...packages];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const { name, version } = item;
      const response = await fetch(`${registry}/${name.replace('/', '%2f')}`);
      if (!response.ok) throw new Error(`the registry answered ${response.status} for ${name}`);
      const { 'dist-tags': tags, time, versions } = (await response.json()) as Published;
      // A mirror may only know when it fetched something; then it does not say either when the package began.
      const newest = time?.['created'] === undefined ? undefined : time[tags.latest];
      failures.demand(
        versions?.[version]?.deprecated === undefined,
        () => `${name} ${version} is deprecated: ${versions?.[version]?.deprecated}`,
      );
      if (newest !== undefined) ages.push({ name, years: (Date.now() - Date.parse(newest)) / 31_557_600_000 });
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  say(`${packages.length} packages asked for, ${ages.length} with a date`);
  const old = ages.filter(({ years }) => years > 3).sort((a, b) => b.years - a.years);
  const audit = JSON.parse((await npm('audit', '--omit=dev', '--json')) || '{}') as {
    vulnerabilities?: Record<string, { severity: string }>;
  };
  const weak = Object.entries(audit.vulnerabilities ?? {}).map(([name, { severity }]) => `${name} (${severity})`);
  failures.none('packages with a known weakness', weak);
  return {
    'packages deprecated in the registry': 0,
    'packages whose newest version is older than three years':
      ages.length === 0
        ? 'the registry does not tell'
        : old.length === 0
          ? 0
          : `${old.length}: ${old
              .slice(0, 12)
              .map(({ name }) => name)
              .join(', ')}${old.length > 12 ? ' …' : ''}`,
    'known weaknesses (npm audit)': audit.vulnerabilities === undefined ? 'the registry does not tell' : weak.length,
  };
};

const prove = async ({ scale, say }: Setting): Promise<Outcome> => {
  const failures = noFailures();
  proveCheck(failures);
  const count = proveFiles(failures);
  const more = scale === 'full' ? await askRegistry(failures, say) : {};
  return { figures: { 'packages that Rowhouse runs with': count, ...more }, failures: failures.list };
};

export const dependencies: Part = { name: 'dependencies', title: 'Dependencies', run: prove };
