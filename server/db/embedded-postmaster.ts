// The running embedded PostgreSQL as its own file postmaster.pid tells of it: which process, where it
// listens, whether it is ready; and whether that file is only left over.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Postmaster {
  pid: number;
  port: number;
  /** Null: it listens on loopback. */
  socketFolder: string | null;
  ready: boolean;
}

export const readPostmaster = (cluster: string): Postmaster | undefined => {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return {
    pid,
    port: Number(lines[3] ?? 0),
    socketFolder: (lines[4] ?? '').trim() === '' ? null : cluster,
    ready: (lines[7] ?? '').trim() === 'ready',
  };
};

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Process ids are used again, in containers at once: the process must be a PostgreSQL, and in this folder. */
export const isPostmaster = (pid: number, cluster: string): boolean => {
  if (!exists(pid)) return false;
  try {
    if (process.platform === 'linux') {
      // A zombie has no working folder any more.
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    }
    if (process.platform === 'win32') return true;
    return basename(execFileSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' }).trim()).startsWith(
      'postgres',
    );
  } catch {
    return false;
  }
};

/**
 * After a crash the id in postmaster.pid may be that of another process by now, and PostgreSQL would refuse
 * to start. The id is replaced by one that cannot exist; the rest of the file stays, by which PostgreSQL
 * finds out whether processes of the crashed server are still at work. Only under the start lock.
 */
export const disarmPostmaster = (cluster: string): void => {
  const left = readPostmaster(cluster);
  if (left === undefined || !exists(left.pid) || isPostmaster(left.pid, cluster)) return;
  const file = join(cluster, 'postmaster.pid');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, '2147483647'));
};
