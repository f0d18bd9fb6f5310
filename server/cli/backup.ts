// rowhouse backup, rowhouse restore: the whole instance or one base, to a file and back.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readPlans } from '../catalog/plans.ts';
import { type Config, readConfig } from '../config.ts';
import { clusterOf } from '../db/embedded-cluster.ts';
import { openSession } from '../db/session.ts';
import { StartError } from '../db/error.ts';
import { createStorage } from '../domain/file/files.ts';
import { openBackup } from '../domain/backup/open-backup.ts';
import type { Manifest } from '../domain/backup/manifest.ts';
import { restoreBase } from '../domain/backup/restore-base.ts';
import { restoreInstance } from '../domain/backup/restore-instance.ts';
import { writeBackup } from '../domain/backup/write-backup.ts';
import { selectRetiredProducts } from '../domain/plan/product.sql.ts';
import { type Command, UsageError } from './command.ts';
import { reachDatabase } from './database.ts';

const say = (line: string): void => console.error(`rowhouse: ${line}`);

/** A command in the wrong folder must not make an instance there. */
const demandInstance = ({ databaseUrl, dataFolder }: Config): void => {
  if (databaseUrl === null && !existsSync(clusterOf(dataFolder)))
    throw new StartError(`there is no instance in ${dataFolder}: set ROWHOUSE_DATA to its folder, or DATABASE_URL`);
};

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

const describe = ({ kind, bases, tables, rowhouse, level, time }: Manifest): string => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const what =
    kind === 'base'
      ? `base ${bases[0]?.id} ("${bases[0]?.name}")`
      : `the instance with ${counted(bases.length, 'base')}`;
  return `${what}, ${counted(rows, 'row')} in ${counted(tables.length, 'table')}, of ${time} (Rowhouse ${rowhouse}, version ${level})`;
};

export const backup: Command = {
  name: 'backup',
  summary: 'Write the whole instance, or one base, to a file; the server may be running',
  positionals: [
    {
      name: 'file',
      meaning: 'File to write, which must not exist. It holds everything: keep it as you keep a password',
    },
  ],
  options: { base: { value: 'base', meaning: 'Only this base: bse…' } },
  async run({ argument, option }) {
    const baseId = option('base');
    if (baseId !== undefined && !/^bse[0-9A-Za-z]{16}$/.test(baseId))
      throw new UsageError(`"${baseId}" is not the id of a base`);
    const path = resolve(argument('file'));
    const config = readConfig(process.env);
    demandInstance(config);
    const { database, client } = await reachDatabase(config, { role: 'command', say });
    try {
      await client.end();
      const { manifest, size } = await writeBackup(database.url, path, { baseId, storage: createStorage(config) });
      console.log(`${path}: ${describe(manifest)}; ${(size / 1_048_576).toFixed(1)} MB`);
    } finally {
      await database.release();
    }
  },
};

export const restore: Command = {
  name: 'restore',
  summary: 'Bring back what a backup holds: an instance into an empty one, a base into a space',
  positionals: [{ name: 'file', meaning: 'File that "rowhouse backup" wrote' }],
  options: {
    space: { value: 'space', meaning: 'For the backup of one base: the space to put it into, spc…' },
    check: { meaning: 'Only read the file through, and say whether it is whole and what it holds' },
  },
  async run({ argument, option, chosen }) {
    const path = resolve(argument('file'));
    const spaceId = option('space');
    const manifest = await openBackup(path);
    if (chosen('check')) return console.log(`${path} is whole: ${describe(manifest)}`);
    if (manifest.kind === 'base' && spaceId === undefined)
      throw new UsageError('this is the backup of one base: --space says where to put it');
    if (manifest.kind === 'instance' && spaceId !== undefined)
      throw new UsageError('--space is for the backup of one base, and this is one of a whole instance');
    const config = readConfig(process.env);
    if (manifest.kind === 'base') demandInstance(config);
    // No server may begin to fill an instance that is being restored.
    const { database, client } = await reachDatabase(config, {
      role: manifest.kind === 'instance' ? 'server' : 'command',
      say,
    });
    try {
      await client.end();
      const session = await openSession(database.url);
      try {
        if (spaceId === undefined)
          await restoreInstance(session, path, manifest, {
            isEmbedded: config.databaseUrl === null,
            storage: createStorage(config),
            say,
          });
        else {
          const plans = readPlans(config);
          plans.remember(await selectRetiredProducts(session));
          await restoreBase(session, path, manifest, spaceId, {
            plans,
            now: () => new Date(),
            files: { storage: createStorage(config) },
          });
        }
      } finally {
        await session.client.end().catch(() => undefined);
      }
      console.log(`restored ${describe(manifest)}`);
    } finally {
      await database.release();
    }
  },
};
