// Writes the whole instance, or one base, to a file: one state of it, however many write meanwhile.
import { promisify } from 'node:util';
import { gzip as gzipWithCallback } from 'node:zlib';
import { notFound } from '@rowhouse/contract/error.ts';
import { copyOut } from '../../db/copy.ts';
import { currentVersion, NewerDatabase, newestVersion } from '../../db/migrate.ts';
import { versionOf } from '../../db/version.ts';
import { openSession, type Session } from '../../db/session.ts';
import { compile, type Sql } from '../../db/sql.ts';
import { StartError } from '../../db/error.ts';
import { selectOpenRelinks } from '../computed/open-relinks.sql.ts';
import type { Storage } from '../../stored-files.ts';
import { type Archive, createArchive } from './archive.ts';
import { demandManifest, formats, type Manifest, type TableData } from './manifest.ts';
import {
  baseRows,
  copyStatement,
  type Group,
  hasUploads,
  leaveGroup,
  noRows,
  selectBaseFacts,
  selectColumns,
  selectReaders,
  selectSequences,
  selectServerVersion,
  selectUploads,
  settleFormats,
  sortByReference,
  takeSnapshot,
} from './snapshot.sql.ts';
import { readStructure } from './structure.sql.ts';

const gzip = promisify(gzipWithCallback);

/** Large enough to be compressed well and written in one go, small enough that a few of them are nothing. */
const partSize = 4 * 1_048_576;

/** Twice as fast as the level that is customary, and a tenth larger. */
const compression = { level: 3 };

export const memberName = (table: number, part: number): string =>
  `data/${String(table).padStart(6, '0')}/${String(part).padStart(6, '0')}.copy.gz`;

export const fileMember = (token: string, part: number): string => `files/${token}/${String(part).padStart(6, '0')}`;

/** The whole instance, or one base, which may be left without its history. */
interface Choice {
  baseId?: string | undefined;
  withHistory?: boolean;
}

interface Selected {
  schema: string;
  name: string;
  rows?: Sql;
}

/** What was before, and what was deleted. */
const past = /^__(history_tbl[0-9A-Za-z]{16}|operation|feed_entry)$/;

const selected = async (
  session: Session,
  { schema, tables }: Group,
  { baseId, withHistory = true }: Choice,
): Promise<Selected[]> => {
  if (schema !== 'rowhouse')
    return tables.map((name) => (withHistory || !past.test(name) ? { schema, name } : { schema, name, rows: noRows }));
  if (baseId !== undefined)
    return baseRows(baseId)
      .filter(({ name }) => tables.includes(name))
      .map((own) => ({ schema, ...own }));
  return (await sortByReference(session, tables)).map((name) => ({ schema, name }));
};

const copyTable = async (
  session: Session,
  archive: Archive,
  { schema, name, rows }: Selected,
  columns: string[],
  place: number,
): Promise<TableData> => {
  let [bytes, parts] = [0, 0];
  const { text } = compile(copyStatement({ schema, name }, columns, 'to stdout', rows));
  const count = await copyOut(session.client, text, partSize, async (part) => {
    bytes += part.length;
    parts += 1;
    await archive.add(memberName(place, parts), await gzip(part, compression));
  });
  return { schema, name, columns, rows: count, bytes, parts };
};

/** Piece by piece: what is in memory of a file is one part. Undefined: it was removed meanwhile. */
const copyFile = async (
  archive: Archive,
  storage: Storage,
  { token, size }: { token: string; size: number },
): Promise<NonNullable<Manifest['files']>[number] | undefined> => {
  if ((await storage.size(token)) !== size) return undefined;
  let parts = 0;
  for (let first = 0; first < size; first += partSize) {
    const pieces: Buffer[] = [];
    for await (const piece of storage.read(token, first, Math.min(first + partSize, size) - 1)) pieces.push(piece);
    parts += 1;
    await archive.add(fileMember(token, parts), Buffer.concat(pieces));
  }
  return { token, size, parts };
};

const demandLevel = async (session: Session): Promise<number> => {
  const [level, newest] = [await currentVersion(session.client), newestVersion()];
  if (level === 0) throw new StartError('the database holds no Rowhouse that could be backed up');
  if (level > newest)
    throw new NewerDatabase(
      `the database is of version ${level}, this Rowhouse knows versions up to ${newest}: back it up with a newer Rowhouse`,
    );
  return level;
};

const fill = async (
  session: Session,
  archive: Archive,
  time: Date,
  choice: Choice,
  storage: Storage | undefined,
): Promise<Manifest> => {
  const { baseId } = choice;
  await settleFormats(session);
  await demandLevel(session);
  const groups = await takeSnapshot(session, baseId);
  const schemas = groups.map(({ schema }) => schema);
  const baseIds = schemas.filter((schema) => schema !== 'rowhouse');
  if (baseId !== undefined && baseIds.length === 0) throw notFound('Base', baseId);
  const structure = await readStructure(session, baseIds);
  const facts = await selectBaseFacts(session, baseIds);
  const columns = await selectColumns(session, schemas);
  const uploads = storage !== undefined && (await hasUploads(session)) ? await selectUploads(session, baseId) : [];
  const manifest = {
    format: formats.plain as Manifest['format'],
    rowhouse: versionOf().version,
    postgres: await selectServerVersion(session),
    level: await demandLevel(session),
    time: time.toISOString(),
    kind: baseId === undefined ? 'instance' : 'base',
    bases: facts.map((base) => ({ ...base, tables: structure.get(base.id) ?? [] })),
    tables: [] as TableData[],
    sequences: await selectSequences(session, baseId === undefined ? schemas : baseIds),
    readers: baseId === undefined ? await selectReaders(session) : [],
  };
  const links = baseId === undefined ? [] : await selectOpenRelinks(session, baseId);
  demandManifest(manifest, 'this backup');
  for (let at = groups.length - 1; at >= 0; at -= 1) {
    for (const table of await selected(session, groups[at] as Group, choice)) {
      manifest.tables.push(
        await copyTable(
          session,
          archive,
          table,
          columns.get(`${table.schema}.${table.name}`) as string[],
          manifest.tables.length,
        ),
      );
    }
    await leaveGroup(session, at);
  }
  const files: NonNullable<Manifest['files']> = [];
  for (const upload of uploads) files.push(...[(await copyFile(archive, storage as Storage, upload)) ?? []].flat());
  const withFiles = files.length === 0 ? manifest : { ...manifest, format: formats.withFiles, files };
  return demandManifest(
    links.length === 0 ? withFiles : { ...withFiles, format: formats.withLinks, links },
    'this backup',
  );
};

interface Written {
  manifest: Manifest;
  size: number;
}

/** `from`: the address of the database, or how to get a connection to it. */
export const writeBackup = async (
  from: string | (() => Promise<Session>),
  path: string,
  { storage, now = new Date(), ...choice }: Choice & { storage?: Storage; now?: Date } = {},
): Promise<Written> => {
  const archive = await createArchive(path, now);
  let session: Session | undefined;
  try {
    session = await (typeof from === 'string' ? openSession(from) : from());
    const manifest = await fill(session, archive, now, choice, storage);
    await archive.add('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
    return { manifest, size: await archive.finish() };
  } catch (error) {
    await archive.abandon();
    throw error;
  } finally {
    await session?.client.end().catch(() => undefined);
  }
};
