// Under which account the embedded PostgreSQL runs. It refuses to be root: then an account that exists
// already is used, never a new one.
import { readFileSync, statSync } from 'node:fs';
import { StartError } from './error.ts';

export interface Account {
  uid?: number;
  gid?: number;
}

interface Entry {
  name: string;
  uid: number;
  gid: number;
}

const accounts = (): Entry[] => {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .filter((parts) => parts.length >= 4)
      .map(([name, , uid, gid]) => ({ name: name as string, uid: Number(uid), gid: Number(gid) }));
  } catch {
    return [];
  }
};

const ownerOf = (path: string): { uid: number; gid: number } | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : { uid: found.uid, gid: found.gid };
};

/** Owner of the cluster when there is one; as root else the owner of the data folder, or a system account. */
export const accountFor = (folder: string, cluster: string): Account => {
  const self = process.getuid?.();
  if (self === undefined) return {};
  const owner = ownerOf(cluster);
  if (self !== 0) {
    if (owner !== undefined && owner.uid !== self) {
      throw new StartError(
        `${cluster} belongs to user id ${owner.uid}, and this is user id ${self}: start as that user, or set ROWHOUSE_DATA to another folder`,
      );
    }
    return {};
  }
  if (owner !== undefined) {
    if (owner.uid === 0)
      throw new StartError(
        `${cluster} belongs to root, and PostgreSQL refuses to run as root: give it to another user with chown -R`,
      );
    return owner;
  }
  const above = ownerOf(folder);
  if (above !== undefined && above.uid !== 0) return above;
  const known = accounts();
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const account = known.find((entry) => entry.name === name && entry.uid > 0);
    if (account !== undefined) return { uid: account.uid, gid: account.gid };
  }
  return { uid: 65_534, gid: 65_534 };
};

/**
 * How a program that is started inside `folder` names it. As root on Linux the account may not be able to
 * walk there from `/`; the working folder is entered before the change of account, and this path needs no
 * right on the folders above.
 */
export const pathInside = (folder: string, account: Account): string =>
  account.uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : folder;
