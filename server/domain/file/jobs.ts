import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { measurePictures } from './measure-pictures.ts';
import { removeFiles, removeWaitingFiles } from './remove-files.ts';

export const fileJobs: JobKind<Services>[] = [
  { name: 'remove-files', every: 21_600, isLong: true, run: (services, { signal }) => removeFiles(services, signal) },
  {
    name: 'remove-waiting-files',
    every: 900,
    isLong: true,
    run: (services, { signal }) => removeWaitingFiles(services, signal),
  },
  {
    name: 'measure-pictures',
    every: 3_600,
    isLong: true,
    run: (services, { signal }) => measurePictures(services, signal),
  },
];
