import type { Services } from '../../context.ts';
import type { JobKind } from '../../work/job.ts';
import { importJob } from './import-job.ts';
import { importFromJob } from './other/import-from.ts';
import { undoImportJob } from './undo-import.ts';

export const importJobs: JobKind<Services>[] = [
  importJob as JobKind<Services>,
  undoImportJob as JobKind<Services>,
  importFromJob as JobKind<Services>,
];
