// Waits for a job, and tells how far it is.
import { getJob } from '@rowhouse/contract/job.ts';
import { call } from './call.ts';

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 400));

/** Answers its result. */
export const awaitJob = async <T>(jobId: string, onProgress: (done: number) => void = () => undefined): Promise<T> => {
  for (;;) {
    const { state, progress, result, error } = await call(getJob, { params: { jobId } });
    onProgress(progress?.done ?? 0);
    if (state === 'done') return result as T;
    if (state === 'failed' || state === 'cancelled') throw new Error(error ?? 'It was cancelled.');
    await pause();
  }
};
