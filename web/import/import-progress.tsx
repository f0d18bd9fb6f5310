// An import under way: how far it is, what it waits for, and, when it has stopped, which rows are in and how to go on.
import { continueJob, type Job } from '@rowhouse/contract/job.ts';
import { useState } from 'react';
import { JobStopped } from '../app/await-job.ts';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { counted, showProblem } from '../ui/toast.ts';
import { awaitImport, type Imported } from './await-import.ts';

interface ImportProgress {
  /** Records so far; undefined when nothing is under way. */
  done: number | undefined;
  waitsFor: string | undefined;
  stopped: Job | undefined;
  setDone(done: number | undefined): void;
  /** Resolves when all rows are in. When the import stops, it waits until somebody continues it; undefined when they undo it. */
  follow(jobId: string): Promise<Imported | undefined>;
  goOn(): Promise<void>;
  leave(): void;
}

export const useImportProgress = (): ImportProgress => {
  const [done, setDone] = useState<number>();
  const [waitsFor, setWaitsFor] = useState<string>();
  const [stopped, setStopped] = useState<{ job: Job; decide: (goesOn: boolean) => void }>();

  const follow = async (jobId: string): Promise<Imported | undefined> => {
    for (;;) {
      try {
        return await awaitImport(jobId, (records, job) => {
          setDone(records);
          setWaitsFor(job.state === 'waiting' ? job.error : undefined);
        });
      } catch (error) {
        if (!(error instanceof JobStopped)) throw error;
        const goesOn = await new Promise<boolean>((decide) => setStopped({ job: error.job, decide }));
        setStopped(undefined);
        if (!goesOn) return undefined;
      }
    }
  };

  return {
    done,
    waitsFor,
    stopped: stopped?.job,
    setDone,
    follow,
    async goOn() {
      if (stopped === undefined) return;
      try {
        await call(continueJob, { params: { jobId: stopped.job.id } });
        stopped.decide(true);
      } catch (error) {
        showProblem(error, 'The import was not continued.');
      }
    },
    leave: () => stopped?.decide(false),
  };
};

export const ImportStatus = ({ done, waitsFor }: Pick<ImportProgress, 'done' | 'waitsFor'>) =>
  done === undefined ? null : (
    <p role="status" className="text-ink-soft">
      {done.toLocaleString()} records so far{waitsFor === undefined ? '' : `. Waiting: ${waitsFor}`}
    </p>
  );

interface StoppedImportProps {
  job: Job;
  onContinue: () => void;
  onUndo: () => void;
}

export const StoppedImport = ({ job: { state, error, result }, onContinue, onUndo }: StoppedImportProps) => {
  const { records = 0, read = 0 } = (result ?? {}) as { records?: number; read?: number };
  return (
    <div role="alert" className="flex flex-col gap-3">
      <p>
        {state === 'cancelled' ? 'The import was cancelled.' : `The import stopped: ${error ?? 'no reason was given'}`}
      </p>
      <p className="text-ink-soft">
        {records === 0
          ? 'No rows were imported.'
          : `Rows up to row ${read.toLocaleString()} of the file were imported: ${counted(records, 'record')}.`}
      </p>
      <div className="flex justify-end gap-3">
        <Button onClick={onUndo}>{records === 0 ? 'Close' : 'Undo import'}</Button>
        <Button look="primary" onClick={onContinue}>
          Continue
        </Button>
      </div>
    </div>
  );
};
