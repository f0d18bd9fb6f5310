// A data folder as a version of Rowhouse left it, with the answers it gave: kept compressed in `fixtures/<version>`.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { generousPlans } from '../ground.ts';
import { allAnswers, type Answers } from '../instance/answers.ts';
import { fill, type Filled } from '../instance/fill.ts';
import { credentialsIn } from '../program.ts';
import { randomFrom } from '../random.ts';

const folder = fileURLToPath(new URL('fixtures', import.meta.url));

interface About extends Filled {
  commit: string;
  made: string;
  /** PostgreSQL of the data folder. Its files fit the same major version on a machine of the same byte order. */
  postgres: string;
  machine: string;
}

export interface Fixture {
  name: string;
  about: About;
  answers: Answers;
  /** Puts the data folder somewhere. */
  unpack(data: string): void;
  /** What `rowhouse backup` of that version wrote; versions before it have none. */
  backup: string | undefined;
}

/** What the time of day alone changes: periods that roll on, days that are counted. And what a version may offer again. */
export const isStable = (template: string): boolean => !/billing|usage|connection/.test(template);

const compress = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

export const readFixtures = (): Fixture[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const of = (file: string): string => join(folder, name, file);
      return {
        name,
        about: JSON.parse(readFileSync(of('about.json'), 'utf8')) as About,
        answers: new Map(
          JSON.parse(brotliDecompressSync(readFileSync(of('answers.json.br'))).toString()) as [string, unknown][],
        ),
        unpack: (data) => {
          mkdirSync(data, { recursive: true });
          execFileSync('tar', ['-C', data, '-xf', '-'], {
            input: brotliDecompressSync(readFileSync(of('data.tar.br'))),
          });
        },
        backup: existsSync(of('instance.backup')) ? of('instance.backup') : undefined,
      };
    });

interface Started {
  origin: string;
  stop(): Promise<void>;
}

const start = (bundle: string, env: Record<string, string>): Promise<Started> =>
  new Promise((found, fail) => {
    const child = spawn(process.execPath, [bundle, 'serve'], {
      env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<void>((done) => child.once('close', () => done()));
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const origin = /running at (http:\S+)/.exec(output)?.[1];
      if (origin !== undefined) found({ origin, stop: () => (child.kill('SIGTERM'), ended) });
    });
    void ended.then(() => fail(new Error(`the server ended: ${output}`)));
  });

/** Of a checkout whose server is built. */
export const makeFixture = async (checkout: string, name: string, commit: string): Promise<void> => {
  const place = mkdtempSync(join(tmpdir(), 'rowhouse-fixture-'));
  execFileSync('chmod', ['755', place]);
  const data = join(place, 'data');
  const bundle = join(checkout, 'server/dist/main.js');
  const env = { ROWHOUSE_DATA: data, ROWHOUSE_PLANS: generousPlans(place) };
  const server = await start(bundle, env);
  const filled = await fill(server.origin, credentialsIn(data).token, randomFrom(1), 40);
  // The token of an application ends within the hour.
  const { application: _application, ...tokens } = filled.tokens;
  const answers = await allAnswers(server.origin, tokens, isStable);
  await server.stop();
  const target = join(folder, name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  if (/^ {2}backup /m.test(execFileSync(process.execPath, [bundle, '--help'], { encoding: 'utf8' })))
    execFileSync(process.execPath, [bundle, 'backup', join(target, 'instance.backup')], {
      env: { PATH: process.env['PATH'], ...env },
    });
  const packed = execFileSync(
    'tar',
    ['-C', data, '--numeric-owner', '--exclude=postgres.log', '--exclude=postmaster.opts', '-cf', '-', '.'],
    { maxBuffer: 1 << 30 },
  );
  const about: About = {
    ...filled,
    tokens,
    commit,
    made: new Date().toISOString().slice(0, 10),
    postgres: readFileSync(join(data, 'postgres/PG_VERSION'), 'utf8').trim(),
    machine: `${process.platform} ${process.arch}`,
  };
  writeFileSync(join(target, 'about.json'), `${JSON.stringify(about, null, 2)}\n`);
  writeFileSync(join(target, 'answers.json.br'), compress(Buffer.from(JSON.stringify([...answers]))));
  writeFileSync(join(target, 'data.tar.br'), compress(packed));
  rmSync(place, { recursive: true, force: true });
};
