// Waits for the job of an import, and tells how far it is.
import type { Job } from '@rowhouse/contract/job.ts';
import { awaitJob } from '../app/await-job.ts';

export interface Misfit {
  row: number;
  field: string;
  value: string;
}

export interface Imported {
  records: number;
  /** Of these, how many changed a record that was there. */
  updated?: number;
  misfits: Misfit[];
  misfitCount: number;
  operationIds: string[];
}

export const awaitImport = (jobId: string, onProgress: (records: number, job: Job) => void): Promise<Imported> =>
  awaitJob<Imported>(jobId, onProgress);
