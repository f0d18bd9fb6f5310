// Waits for the job of an import, and tells how far it is.
import { getJob } from '@rowhouse/contract/job.ts';
import { call } from '../../app/call.ts';

export interface Misfit {
  row: number;
  field: string;
  value: string;
}

export interface Imported {
  records: number;
  misfits: Misfit[];
  misfitCount: number;
  operationIds: string[];
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 400));

export const awaitImport = async (jobId: string, onProgress: (records: number) => void): Promise<Imported> => {
  for (;;) {
    const { state, progress, result, error } = await call(getJob, { params: { jobId } });
    onProgress(progress?.done ?? 0);
    if (state === 'done') return result as unknown as Imported;
    if (state === 'failed' || state === 'cancelled') throw new Error(error ?? 'The import was cancelled.');
    await pause();
  }
};
