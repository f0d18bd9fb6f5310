import type { Services } from '../../context.ts';
import type { JobKind, RunningJob } from '../../work/job.ts';
import { findFollowers, follow, followKind, type FollowerKind } from './follow.ts';

export const feedJobs = (kinds: readonly FollowerKind[]): JobKind<Services>[] => [
  {
    name: followKind,
    // One that cannot go on keeps its place, and is paused when it is too far behind.
    retry: { attempts: null, first: 1, longest: 60 },
    atOnce: 2,
    givesWay: true,
    run: (services, job) => follow(services, kinds, job as RunningJob<{ followerId: string }>),
  },
  { name: 'find-followers', every: 30, run: (services, { signal }) => findFollowers(services, kinds, signal) },
];
