// Streams the audit log to a file or an address, as JSON lines. What has arrived is marked afterwards, so that nothing is lost when a process is killed
// at any moment: an entry may come twice, with the same id. See docs/adr/0231-stream-of-the-audit-log.md.
import { open } from 'node:fs/promises';
import { markStreamed } from '../../catalog/audit.sql.ts';
import type { Config } from '../../config.ts';
import type { Services } from '../../context.ts';
import { isPublicAddress } from '../file/public-address.ts';
import { GiveUp, type JobKind, type RunningJob } from '../../work/job.ts';
import { allowedAddresses, send } from '../webhook/send.ts';
import { selectUnstreamed, writeStreamState } from './instance-audit.sql.ts';
import { jsonLine } from './show-entry.ts';

const pageSize = 500;

/** A line that the end of a process cut off stays by itself: the next one begins on a line of its own. */
const appendTo = async (file: string, lines: string): Promise<void> => {
  const handle = await open(file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const last = size === 0 ? '\n' : (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer.toString();
    await handle.appendFile(`${last === '\n' ? '' : '\n'}${lines}`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
};

const refusalOf = (error: string, isPlain: boolean): string =>
  isPlain
    ? error.replace(
        /is not a public address$/,
        'is not within ROWHOUSE_WEBHOOK_NETWORKS: plain HTTP stays in networks of your own',
      )
    : error;

const postTo = async (url: string, lines: string, config: Config, signal: AbortSignal): Promise<void> => {
  const isAllowed = allowedAddresses(config);
  const isPlain = new URL(url).protocol === 'http:';
  const sent = await send(
    url,
    lines,
    {
      'content-type': 'application/x-ndjson',
      'user-agent': 'Rowhouse-Audit',
      ...(config.auditStreamToken === null ? {} : { authorization: `Bearer ${config.auditStreamToken}` }),
    },
    // Unencrypted it stays within networks of one's own.
    isPlain ? (address) => isAllowed(address) && !isPublicAddress(address) : isAllowed,
    signal,
  );
  if (sent.status === null || sent.status < 200 || sent.status >= 300)
    throw new GiveUp(
      sent.status === null ? refusalOf(sent.error ?? 'no answer', isPlain) : `the receiver answered ${sent.status}`,
    );
};

const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message: string };
  return (code === undefined ? message : `${code}: ${message}`).slice(0, 300);
};

const streamAudit = async (services: Services, { step, signal }: RunningJob): Promise<void> => {
  const { db, config } = services;
  const target = config.auditStream;
  if (target === null) return;
  for (;;) {
    signal.throwIfAborted();
    const rows = await selectUnstreamed(db, pageSize);
    if (rows.length === 0) return;
    const lines = rows.map(jsonLine).join('');
    try {
      await ('file' in target ? appendTo(target.file, lines) : postTo(target.url, lines, config, signal));
    } catch (error) {
      if (!signal.aborted) await writeStreamState(db, reasonOf(error));
      throw error;
    }
    await step(async (tx) => {
      await markStreamed(
        tx,
        rows.map(({ id }) => id),
      );
      await writeStreamState(tx, null);
    });
  }
};

export const adminJobs: JobKind<Services>[] = [
  // Not long: an entry waits ten seconds at most while the receiver takes them.
  { name: 'stream-audit', every: 10, retry: { attempts: null, first: 1, longest: 10 }, run: streamAudit },
];
