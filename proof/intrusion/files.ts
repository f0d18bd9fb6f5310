// What the file of a base may do to those who restore it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSession } from '../../server/db/session.ts';
import { openBackup } from '../../server/domain/backup/open-backup.ts';
import { restoreBase } from '../../server/domain/backup/restore-base.ts';
import { writeBackup } from '../../server/domain/backup/write-backup.ts';
import { ground as newGround, tableWith, type TestTable } from '../../test/support/table.ts';
import { newDataFolder } from '../program.ts';
import { type Attack, type Scene, unless } from './attack.ts';
import { elsewhereOf } from './elsewhere.ts';

type Tamper = (table: TestTable) => [statement: string, ...values: unknown[]];

/** Changes a row, takes the file of its base, and restores it at another instance. */
const restoreTampered = async (scene: Scene, tamper: Tamper): Promise<string[]> => {
  const { ground } = scene;
  const table = await tableWith(await newGround(ground), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Number', type: 'number' },
  ]);
  const session = await openSession(ground.databaseUrl);
  const [statement, ...values] = tamper(table);
  await session.client.query(statement, values);
  await session.client.end();
  const folder = newDataFolder();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'tampered.backup');
  await writeBackup(ground.databaseUrl, file, { baseId: table.baseId });
  const { ground: elsewhere } = await elsewhereOf(scene);
  const target = await newGround(elsewhere);
  const there = await openSession(elsewhere.databaseUrl);
  const outcome = await openBackup(file)
    .then((manifest) => restoreBase(there, file, manifest, target.spaceId, elsewhere.services))
    .then(
      () => 'restored',
      (error: Error) => error.message,
    )
    .finally(() => there.client.end());
  return unless(outcome.includes('is not what Rowhouse makes'), outcome);
};

const evil = "(select pg_read_file('/etc/passwd'))";

export const attacks: Attack[] = [
  {
    name: 'options of a field are SQL',
    run: (scene) =>
      restoreTampered(scene, ({ fieldIds }) => [
        "update rowhouse.fields set options = jsonb_set(options, '{formatting,precision}', to_jsonb($1::text)) where id = $2",
        `0)::text || ${evil} --`,
        fieldIds['Number'],
      ]),
  },
  {
    name: 'the sort of a view is SQL',
    run: (scene) =>
      restoreTampered(scene, ({ tableId, fieldIds }) => [
        'update rowhouse.views set sort = $1 where table_id = $2',
        JSON.stringify({ sortObjs: [{ fieldId: fieldIds['Number'], order: `asc, ${evil}` }] }),
        tableId,
      ]),
  },
  {
    name: 'a table is one of the server’s own',
    run: (scene) =>
      restoreTampered(scene, ({ tableId }) => [
        "update rowhouse.tables set db_table_name = '__operation' where id = $1",
        tableId,
      ]),
  },
];
