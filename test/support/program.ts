// The real program for tests. What one of them starts is taken away after it (`program-setup.ts`), unless a secret is found in it.
import { existsSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { credentialsIn, preparedData, type Remains } from '../../proof/program.ts';
import { contentsOf, demandNone, filesBelow } from './secret-check.ts';
import { recordedSecrets, recordSecret, recordTokensIn } from './secret-record.ts';

export * from '../../proof/program.ts';

/** The files that are there to hold secrets. */
const safes = /\/(credentials\.json|rowhouse(_server)?\.password|secret\.key)$/;

/** What every test starts from, untouched since it was copied; the tests of a first start search it. */
const isAsPrepared = (folder: string, path: string): boolean => {
  const before = statSync(join(preparedData(), relative(join(folder, 'data'), path)), { throwIfNoEntry: false });
  const now = statSync(path);
  return before?.isFile() === true && before.size === now.size && before.mtimeMs === now.mtimeMs;
};

/** No secret may stand in the files of PostgreSQL, those of the log of its writes among them, or in a log. */
export const searchForSecrets = async ({ folders, programs }: Remains): Promise<void> => {
  for (const folder of folders
    .map((path) => join(path, 'data'))
    .filter((path) => existsSync(join(path, 'credentials.json')))) {
    const { password, token } = credentialsIn(folder);
    recordSecret('password of the first start', password);
    recordTokensIn(token);
  }
  for (const { printed } of programs) recordTokensIn(printed());
  const logs = programs.map(({ logged }) => ({ where: 'the log of a program', bytes: Buffer.from(logged()) }));
  const files = folders.flatMap((folder) =>
    filesBelow(folder).filter((path) => !safes.test(path) && !isAsPrepared(folder, path)),
  );
  await demandNone(recordedSecrets(), [...logs]);
  await demandNone(recordedSecrets(), contentsOf(files));
};
