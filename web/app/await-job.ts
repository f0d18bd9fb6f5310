// Waits for a job, and tells how far it is.
import { getJob, type Job } from '@rowhouse/contract/job.ts';
import { call } from './call.ts';

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 400));

/** It failed or was cancelled. */
export class JobStopped extends Error {
  readonly job: Job;

  constructor(job: Job) {
    super(job.error ?? 'It was cancelled.');
    this.job = job;
  }
}

/** Answers its result. */
export const awaitJob = async <T>(
  jobId: string,
  onProgress: (done: number, job: Job) => void = () => undefined,
): Promise<T> => {
  for (;;) {
    const job = await call(getJob, { params: { jobId } });
    const { state, progress, result } = job;
    onProgress(progress?.done ?? 0, job);
    if (state === 'done') return result as T;
    if (state === 'failed' || state === 'cancelled') throw new JobStopped(job);
    await pause();
  }
};
