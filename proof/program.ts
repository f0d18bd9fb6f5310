// The real program as child processes, on data folders of their own; `endPrograms` takes all of it away.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { copyFolder, newScratchFolder } from '../test/support/scratch.ts';

export { freePort } from '../server/db/free-port.ts';

const bundle = fileURLToPath(new URL('../server/dist/main.js', import.meta.url));

const started = new Set<ChildProcess>();
const folders = new Set<string>();
let programs: Program[] = [];
const endings = new Set<() => Promise<unknown>>();

/** What `endPrograms` does when all processes have ended. */
export const atTheEnd = (work: () => Promise<unknown>): void => void endings.add(work);

/** Process id of the PostgreSQL of a data folder, as long as it runs. */
export const postgresPid = (dataFolder: string): number | undefined => {
  const file = join(dataFolder, 'postgres/postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return isRunning(pid) ? pid : undefined;
};

export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie is no running process.
    return process.platform !== 'linux' || readlinkSync(`/proc/${pid}/cwd`) !== '';
  } catch {
    return false;
  }
};

/** `pause`: milliseconds between two looks; longer where a look costs something. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>, pause = 25): Promise<void> => {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it never came to pass that ${what}`);
    await sleep(pause);
  }
};

/** What they leave behind, once all processes have ended. */
export interface Remains {
  folders: string[];
  programs: Program[];
}

/** Ends what was started, and takes its folders away; `inspect` may look at them before. */
export const endPrograms = async (
  inspect: (remains: Remains) => Promise<void> = async () => undefined,
): Promise<void> => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
  for (const folder of folders) {
    const pid = postgresPid(join(folder, 'data'));
    if (pid !== undefined) {
      process.kill(pid, 'SIGQUIT');
      await until('PostgreSQL has ended', () => !isRunning(pid));
    }
  }
  try {
    await inspect({ folders: [...folders], programs });
  } finally {
    for (const work of endings) await work();
    endings.clear();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    folders.clear();
    programs = [];
  }
};

/** A data folder that does not exist yet, in a folder that is taken away by `endPrograms`. */
export const newDataFolder = (): string => {
  const folder = newScratchFolder('program');
  folders.add(folder);
  return join(folder, 'data');
};

const preparedName = 'ROWHOUSE_TEST_PREPARED_DATA';

/** The data folder that `usedDataFolder` copies. */
export const preparedData = (): string => {
  const folder = process.env[preparedName];
  if (folder === undefined) throw new Error('There is no prepared data folder yet: call prepareData first');
  return folder;
};

/** Makes it, for this process and those that it starts; answers what takes it away. */
export const prepareData = async (): Promise<() => void> => {
  const folder = newScratchFolder('prepared');
  const data = join(folder, 'data');
  const server = await serve({ ROWHOUSE_DATA: data });
  server.kill('SIGTERM');
  await server.ended;
  process.env[preparedName] = data;
  return () => rmSync(folder, { recursive: true, force: true });
};

/** A data folder as the first start leaves it. A copy takes a tenth of the time of a first start: for tests of anything else. */
export const usedDataFolder = (): string => {
  const data = newDataFolder();
  copyFolder(preparedData(), data);
  return data;
};

export interface Program {
  pid: number;
  /** Everything: standard output and standard error. */
  output: () => string;
  /** What it said to people: the lines of its log are left out. */
  said: () => string;
  printed: () => string;
  logged: () => string;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  kill: (signal: NodeJS.Signals) => void;
}

const environment = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  LOG_LEVEL: 'trace',
  DATABASE_WAIT: '5',
  ...env,
});

/** `main`: of another build than the one that is tested. */
export const runProgram = (args: string[], env: Record<string, string>, main = bundle): Program => {
  const child = spawn(process.execPath, [main, ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let [output, printed, logged] = ['', '', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    printed += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    logged += chunk.toString();
  });
  const ended = new Promise<number | string>((done) =>
    child.once('close', (code, signal) => done(code ?? (signal as string))),
  );
  const program: Program = {
    pid: child.pid as number,
    output: () => output,
    said: () => output.replaceAll(/^\{"level":.*\n/gm, ''),
    printed: () => printed,
    logged: () => logged,
    ended,
    kill: (signal) => void child.kill(signal),
  };
  programs.push(program);
  return program;
};

/** What the servers logged of a request that failed; the answer names it. */
export const loggedOf = (answer: string): string => {
  const requestId = /"requestId":"([\w-]+)"/.exec(answer)?.[1];
  const lines =
    requestId === undefined
      ? []
      : programs.flatMap(({ logged }) =>
          logged()
            .split('\n')
            .filter((line) => line.includes(requestId)),
        );
  return lines.join('\n').slice(0, 4_000);
};

export interface Served extends Program {
  origin: string;
}

/** Starts a server and waits until it says its address. */
export const serve = async (env: Record<string, string>, main = bundle): Promise<Served> => {
  const program = runProgram(['serve'], { PORT: '0', ...env }, main);
  let code: number | string | undefined;
  void program.ended.then((value) => (code = value));
  await until('the server says its address', () => {
    if (code !== undefined) throw new Error(`the server ended with ${code}: ${program.output()}`);
    return program.output().includes('running at http');
  });
  return { ...program, origin: /running at (http:\S+)/.exec(program.output())?.[1] as string };
};

export interface Known {
  baseId: string;
  url: string;
  email: string;
  password: string;
  token: string;
  tableId: string;
}

export const credentialsIn = (dataFolder: string): Known =>
  JSON.parse(readFileSync(join(dataFolder, 'credentials.json'), 'utf8')) as Known;

/** Calls the API with the token of the first start. */
export const request = (
  origin: string,
  known: Known,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> =>
  fetch(`${origin}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${known.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

export const addRecord = async (origin: string, known: Known, name: string): Promise<number> =>
  (await request(origin, known, 'POST', `/table/${known.tableId}/record`, { records: [{ fields: { Name: name } }] }))
    .status;

export const recordNames = async (origin: string, known: Known): Promise<string[]> => {
  const answer = (await (await request(origin, known, 'GET', `/table/${known.tableId}/record?take=1000`)).json()) as {
    records: { fields: { Name: string } }[];
  };
  return answer.records.map((record) => record.fields.Name);
};
