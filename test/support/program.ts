// The real program for tests: what one of them starts is taken away after it, unless a secret is found in it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { credentialsIn, endPrograms, type Remains } from '../../proof/program.ts';
import { contentsOf, demandNone, filesBelow } from './secret-check.ts';
import { recordedSecrets, recordSecret, recordTokensIn } from './secret-record.ts';

export * from '../../proof/program.ts';

/** The files that are there to hold secrets. */
const safes = /\/(credentials\.json|rowhouse(_server)?\.password|secret\.key)$/;

/** No secret may stand in the files of PostgreSQL, those of the log of its writes among them, or in a log. */
const searchForSecrets = async ({ folders, programs }: Remains): Promise<void> => {
  for (const folder of folders.map((path) => join(path, 'data')).filter((path) => existsSync(join(path, 'credentials.json')))) {
    const { password, token } = credentialsIn(folder);
    recordSecret('password of the first start', password);
    recordTokensIn(token);
  }
  for (const { printed } of programs) recordTokensIn(printed());
  const logs = programs.map(({ logged }) => ({ place: 'the log of a program', bytes: Buffer.from(logged()) }));
  const files = folders.flatMap(filesBelow).filter((path) => !safes.test(path));
  await demandNone(recordedSecrets(), [...logs]);
  await demandNone(recordedSecrets(), contentsOf(files));
};

afterEach(() => endPrograms(searchForSecrets));
