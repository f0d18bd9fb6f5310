// Which Chromium the browser tests drive: the one named by ROWHOUSE_CHROMIUM, the one that npm brings along
// (x64 Linux only), or one that is installed. Its libraries and fonts are unpacked beside it, so no system
// package is needed.
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

interface Chromium {
  executablePath: string;
  env: Record<string, string>;
  /** Still to be unpacked from the npm package. */
  packed: boolean;
}

const packageFolder = (): string => join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');

const hasPacked = (): boolean => {
  try {
    return (
      process.platform === 'linux' && process.arch === 'x64' && existsSync(join(packageFolder(), 'bin/chromium.br'))
    );
  } catch {
    return false;
  }
};

const unpackedFolder = (): string => {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string };
  return join(tmpdir(), `rowhouse-chromium-${version}-${process.getuid?.() ?? 0}`);
};

const installed = (): string | undefined => {
  // The one without a window takes less.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
};

export const findChromium = (): Chromium | undefined => {
  const named = process.env['ROWHOUSE_CHROMIUM'];
  if (named !== undefined && named !== '') return { executablePath: named, env: {}, packed: false };
  if (hasPacked()) {
    const folder = unpackedFolder();
    const env = {
      LD_LIBRARY_PATH: [join(folder, 'libraries/lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    };
    return { executablePath: join(folder, 'chromium'), env, packed: !existsSync(join(folder, 'chromium')) };
  }
  const path = installed();
  return path === undefined ? undefined : { executablePath: path, env: {}, packed: false };
};

export const launchArguments = [
  '--headless',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const unpackTar = async (archive: string, folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const tar = spawn('tar', ['-xf', '-', '-C', folder], { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve, reject) => {
    tar.once('error', reject);
    tar.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code}`))));
  });
  // It may end at the mark that ends an archive, and leave what only fills up its last block.
  const isLeft = (error: unknown): boolean =>
    ['ERR_STREAM_PREMATURE_CLOSE', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
  await Promise.all([
    ended,
    pipeline(createReadStream(archive), createBrotliDecompress(), tar.stdin).catch((error: unknown) => {
      if (!isLeft(error)) throw error;
    }),
  ]);
};

// The package's own settings name fixed folders; these name the one it is unpacked to.
const fontSettings = (folder: string): string =>
  `<?xml version="1.0"?><fontconfig><dir>${folder}</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`;

/** Unpacks into a folder beside the final one and renames it, so that a half-done one is never used. */
export const unpackChromium = async (): Promise<void> => {
  const bin = join(packageFolder(), 'bin');
  const target = unpackedFolder();
  const work = mkdtempSync(`${target}-`);
  await pipeline(
    createReadStream(join(bin, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(join(work, 'chromium'), { mode: 0o755 }),
  );
  await unpackTar(join(bin, 'al2023.tar.br'), join(work, 'libraries'));
  await unpackTar(join(bin, 'fonts.tar.br'), join(work, 'fonts'));
  writeFileSync(join(work, 'fonts/fonts.conf'), fontSettings(join(target, 'fonts')));
  try {
    renameSync(work, target);
  } catch {
    rmSync(work, { recursive: true, force: true });
  }
};
