// Says that this process runs, and of which version it is, as long as it does: administrators see all of them.
import { hostname } from 'node:os';
import { randomText } from '@rowhouse/contract/id.ts';
import type { BackgroundErrors } from '../../background-errors.ts';
import type { Db } from '../../db/db.ts';
import { versionOf } from '../../db/version.ts';
import { deleteServer, renewServer } from './server.sql.ts';

const renewEvery = 20_000;

/** Answers how to end it. */
export const announceServer = (db: Db, errors: BackgroundErrors, { version, commit } = versionOf()) => {
  const id = randomText(12);
  const host = `${hostname()}:${process.pid}`;
  let renewing: Promise<void> = Promise.resolve();
  const renew = (): void => {
    renewing = renewServer(db, id, { host, version, commit }).catch((error: unknown) =>
      errors.note('the list of servers', error),
    );
  };
  renew();
  const timer = setInterval(renew, renewEvery).unref();
  return async (): Promise<void> => {
    clearInterval(timer);
    await renewing;
    await deleteServer(db, id);
  };
};
