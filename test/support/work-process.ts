// A process that works on jobs and nothing else: `node work-process.js <database> <seconds of a lease>`, from its bundle.
// What its jobs do is written down in a table, so that a test sees what was done twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { createBackgroundErrors } from '../../server/background-errors.ts';
import { openDb } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import { GiveUp, type JobKind, type RunningJob } from '../../server/work/job.ts';
import { startWork } from '../../server/work/start-work.ts';

const [url, lease] = process.argv.slice(2) as [string, string];
const db = openDb(url, { max: 4 });
/** The world outside, which knows nothing of transactions. */
const outside = openDb(url, { max: 2 });

const note = (on: Pick<typeof db, 'query'>, jobId: string, step: number): Promise<unknown> =>
  on.query(sql`insert into public.effect (job_id, step, pid) values (${jobId}, ${step}, ${process.pid})`);

const kinds: JobKind<undefined>[] = [
  {
    name: 'count',
    atOnce: 3,
    isLong: true,
    givesWay: true,
    // A second try would be one too many: what passes is no try.
    retry: { attempts: 1, first: 1, longest: 1 },
    async run(_services, job) {
      const { steps } = job.payload as { steps: number };
      for (let at = (job.cursor as number | null) ?? 0; at < steps; at += 1) {
        await job.step(async (tx) => {
          // What holds the gate is waited for.
          await tx.query(sql`select from public.gate for share nowait`);
          await note(tx, job.id, at);
          await sleep(5);
          return { cursor: at + 1, done: at + 1, total: steps };
        });
        await job.giveWay();
      }
    },
  },
  {
    name: 'send',
    atOnce: 1,
    async run(_services, job: RunningJob) {
      if (job.cursor === 'sent') throw new GiveUp('perhaps sent already');
      await job.mark('sent');
      await note(outside, job.id, 0);
      await sleep(20);
    },
  },
];

const errors = createBackgroundErrors();
errors.logTo((work, error) => console.error(process.pid, work, error));
const work = startWork({ db, services: undefined, kinds, errors, lease: Number(lease) });
process.on('SIGTERM', () => void work.stop(5).then(() => process.exit(0)));
// The timers of the work do not keep a process alive.
setInterval(() => undefined, 60_000);
console.log('works');
