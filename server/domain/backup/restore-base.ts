// Restores one base into a space, in one transaction. It keeps its ids, so that links and programs that name them go on
// working; where one of them is taken, nothing is restored. A base of an older version is upgraded. Who may see the base is for the space to say: roles, invitations
// and SQL access are not brought along.
import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import type { Environment } from '../../context.ts';
import { NewerDatabase, newestVersion } from '../../db/migrate.ts';
import type { Tx } from '../../db/db.ts';
import type { Session } from '../../db/session.ts';
import { StartError } from '../../db/error.ts';
import { upgradeBaseIn } from '../../db/upgrade-base.ts';
import { demandFileRoom } from '../file/file-room.ts';
import type { Files } from '../../stored-files.ts';
import { reclaimRows } from '../plan/table-rows.ts';
import { relinkLater } from '../history/relink-later.ts';
import { holdSpaces } from '../space/space.sql.ts';
import { ofOperator, ofUpload } from './archive.ts';
import { demandValidRows } from './demand-valid-rows.ts';
import { loadRows } from './load-rows.ts';
import { demandKnownVersions, type Manifest, type TableData } from './manifest.ts';
import { createKeys, createTables, setSequences } from './rebuild.sql.ts';
import { type Rename, renamedManifest } from './rename.ts';
import {
  analyzeBase,
  baseExists,
  begin,
  commit,
  createStages,
  dropStages,
  forgetAutomations,
  insertRestoredBase,
  moveStagedFiles,
  moveStages,
  selectTakenIds,
  settleBase,
  stageName,
} from './restore.sql.ts';
import { baseRows, type QualifiedName, settleFormats } from './snapshot.sql.ts';

const demandFit = (manifest: Manifest, path: string): Manifest['bases'][number] => {
  const { level, rowhouse, bases, tables, sequences } = manifest;
  const newest = newestVersion();
  if (level > newest)
    throw new NewerDatabase(
      `${path} was made by Rowhouse ${rowhouse} with a database of version ${level}, this Rowhouse knows versions up to ${newest}: restore it with a newer Rowhouse`,
    );
  demandKnownVersions(manifest, path);
  const base = bases[0];
  const own = baseRows(base?.id ?? '').map(({ name }) => name);
  const fits =
    tables.every(({ schema, name }) => (schema === 'rowhouse' ? own.includes(name) : schema === base?.id)) &&
    sequences.every(({ schema }) => schema === base?.id);
  if (base === undefined || bases.length !== 1 || !fits) throw new StartError(`${path} is not the backup of one base`);
  return base;
};

const taken = (what: string): StartError =>
  new StartError(
    `${what} exists here already: a base is restored with its ids. Delete the one that is here for good (also from the trash), or restore into another instance`,
  );

type Needs = Pick<Environment, 'plans' | 'now'> & { files: Pick<Files, 'storage'> };

interface Changes {
  /** Other ids for everything in it. */
  rename: Rename;
  /** Who made the base here. */
  createdBy: string;
  /** Before anything else, in the transaction. */
  demand(tx: Tx): Promise<void>;
}

export const restoreBase = async (
  session: Session,
  path: string,
  original: Manifest,
  spaceId: string,
  needs: Needs,
  changes?: Changes,
): Promise<void> => {
  const manifest = changes === undefined ? original : renamedManifest(original, changes.rename);
  const found = demandFit(manifest, path);
  const base =
    changes === undefined ? found : { ...found, createdBy: changes.createdBy, createdTime: needs.now().toISOString() };
  const own = baseRows(base.id).map(({ name }) => name);
  const targetOf = ({ schema, name }: TableData): QualifiedName =>
    schema === 'rowhouse' ? { schema: 'rowhouse', name: stageName(base.id, name) } : { schema, name };
  await settleFormats(session);
  await begin(session);
  if ((await holdSpaces(session, [spaceId])).length === 0) throw notFound('Space', spaceId);
  await changes?.demand(session);
  if (await baseExists(session, base.id)) throw taken(`base ${base.id}`);
  await createTables(session, base.id, base.tables);
  await createStages(session, base.id, own);
  const { rename } = changes ?? {};
  await loadRows(session, path, original, {
    storage: needs.files.storage,
    rename,
    limits: changes === undefined ? ofOperator : ofUpload,
    targetOf: ({ schema, name, ...rest }) =>
      targetOf(
        rename === undefined ? { schema, name, ...rest } : { schema: rename(schema), name: rename(name), ...rest },
      ),
  });
  const ids = await selectTakenIds(session, base.id);
  if (ids.length > 0) throw taken(ids.slice(0, 3).join(', '));
  await createKeys(session, base.id, base.tables);
  await setSequences(session, manifest.sequences);
  await insertRestoredBase(session, spaceId, base);
  await forgetAutomations(session, base.id);
  const { moved, held } = await moveStages(session, base.id);
  if (moved !== held) throw new StartError(`${path} holds tables, fields or views that are not of base ${base.id}`);
  await moveStagedFiles(session, base.id);
  await dropStages(session, base.id, own);
  await upgradeBaseIn(session, base.id);
  await demandValidRows(session, path, base);
  await settleBase(session, base.id);
  for (const link of manifest.links ?? [])
    await relinkLater(session, {
      ...link,
      baseId: base.id,
      cause: 0,
      actor: base.createdBy,
      tokenId: null,
      clientId: null,
    });
  await reclaimRows(session, needs, base.id);
  await demandFileRoom(session, needs, spaceId, 0);
  await bumpEpochs(session, [spaceId]);
  await commit(session);
  await analyzeBase(
    session,
    base.id,
    base.tables.map(({ name }) => name),
  );
};
