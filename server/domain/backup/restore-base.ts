// Restores one base into a space, in one transaction. It keeps its ids, so that links and programs that name them go on
// working; where one of them is taken, nothing is restored. Who may see the base is for the space to say: roles, invitations
// and SQL access are not brought along.
import { notFound } from '@rowhouse/contract/error.ts';
import { bumpEpoch } from '../../catalog/access.sql.ts';
import type { Services } from '../../context.ts';
import { newestVersion } from '../../db/migrate.ts';
import type { Session } from '../../db/session.ts';
import { StartError } from '../../db/start-error.ts';
import { reclaimRows } from '../plan/table-rows.ts';
import { holdSpaces } from '../space/space.sql.ts';
import { loadRows } from './load-rows.ts';
import type { Manifest, TableData } from './manifest.ts';
import { createKeys, createTables, setSequences } from './rebuild.sql.ts';
import { analyzeBase, baseExists, begin, commit, createStages, dropStages, insertRestoredBase, moveStages, selectTakenIds, settleBase } from './restore.sql.ts';
import { baseRows, type Place, settleFormats } from './snapshot.sql.ts';

const demandFit = ({ level, rowhouse, bases, tables, sequences }: Manifest, path: string): Manifest['bases'][number] => {
  const newest = newestVersion();
  if (level !== newest) {
    throw new StartError(`${path} was made by Rowhouse ${rowhouse} with a database of version ${level}, and this one has version ${newest}: restore it with that Rowhouse, bring that instance to this version, and back the base up again`);
  }
  const base = bases[0];
  const own = baseRows(base?.id ?? '').map(({ name }) => name);
  const fits = tables.every(({ schema, name }) => (schema === 'rowhouse' ? own.includes(name) : schema === base?.id)) && sequences.every(({ schema }) => schema === base?.id);
  if (base === undefined || bases.length !== 1 || !fits) throw new StartError(`${path} is not the backup of one base`);
  return base;
};

const taken = (what: string): StartError =>
  new StartError(`${what} exists here already: a base is restored with its ids. Delete the one that is here for good (also from the trash), or restore into another instance`);

type Needs = Pick<Services, 'plans' | 'now'>;

export const restoreBase = async (session: Session, path: string, manifest: Manifest, spaceId: string, needs: Needs): Promise<void> => {
  const base = demandFit(manifest, path);
  const own = baseRows(base.id).map(({ name }) => name);
  const placeOf = ({ schema, name }: TableData): Place => (schema === 'rowhouse' ? { schema: base.id, name: `__restored_${name}` } : { schema, name });
  await settleFormats(session);
  await begin(session);
  if ((await holdSpaces(session, [spaceId])).length === 0) throw notFound('Space', spaceId);
  if (await baseExists(session, base.id)) throw taken(`base ${base.id}`);
  await createTables(session, base.id, base.tables);
  await createStages(session, base.id, own);
  await loadRows(session, path, manifest, placeOf);
  const ids = await selectTakenIds(session, base.id);
  if (ids.length > 0) throw taken(ids.slice(0, 3).join(', '));
  await createKeys(session, base.id, base.tables);
  await setSequences(session, manifest.sequences);
  await insertRestoredBase(session, spaceId, base);
  const { moved, held } = await moveStages(session, base.id);
  if (moved !== held) throw new StartError(`${path} holds tables, fields or views that are not of base ${base.id}`);
  await dropStages(session, base.id, own);
  await settleBase(session, base.id);
  await reclaimRows(session, needs, base.id);
  await bumpEpoch(session);
  await commit(session);
  await analyzeBase(session, base.id, base.tables.map(({ name }) => name));
};
