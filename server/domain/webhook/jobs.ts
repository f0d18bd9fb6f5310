import type { Services } from '../../context.ts';
import type { JobKind, RunningJob } from '../../work/job.ts';
import { deliver, findDeliveries } from './deliver.ts';
import { deliverKind, type DeliverPayload } from './deliver-job.ts';
import { deleteOldDeliveries } from './delivery.sql.ts';

/** Days that deliveries can be looked at and sent again. */
const days = 30;
const batch = 1_000;

export const webhookJobs: JobKind<Services>[] = [
  {
    name: deliverKind,
    retry: { attempts: null, first: 1, longest: 60 },
    atOnce: 2,
    // Requests that end note their outcome beside the job.
    connections: 2,
    run: (services, job) => deliver(services, job as RunningJob<DeliverPayload>),
  },
  { name: 'find-deliveries', every: 15, run: (services) => findDeliveries(services) },
  {
    name: 'remove-old-deliveries',
    every: 3_600,
    isLong: true,
    async run({ db }, { signal }) {
      while ((await deleteOldDeliveries(db, days, batch)) === batch) signal.throwIfAborted();
    },
  },
];
