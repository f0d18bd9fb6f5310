// What a share shows becomes a table in a base of the visitor's own, if they have an account here.
import { listBases } from '@rowhouse/contract/base.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { allows, standingIn } from '../app/standing.ts';
import { copyShareToBase } from '@rowhouse/contract/share.ts';
import { getJob } from '@rowhouse/contract/job.ts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { ask } from './ask.ts';
import { SignInNote } from './sign-in-note.tsx';

const isStranger = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

interface Made {
  baseId: string;
  tableId: string;
  name: string;
  recordCount: number;
}

const pause = 500;

/** Until the job has ended. */
const followJob = async (jobId: string, baseId: string, tell: (progress: string) => void): Promise<Made> => {
  for (;;) {
    const { state, progress, result, error } = await ask(getJob, { params: { jobId } });
    if (state === 'done') return { baseId, ...(result as Omit<Made, 'baseId'>) };
    if (state === 'failed' || state === 'cancelled')
      throw new Error(error ?? 'The copy was cancelled: nothing was copied');
    if (progress !== undefined)
      tell(
        `${progress.done.toLocaleString('en')} of ${(progress.total ?? progress.done).toLocaleString('en')} records are copied. You may close this page: the table appears in the base once all are there.`,
      );
    await new Promise((done) => setTimeout(done, pause));
  }
};

interface CopyDialogProps {
  shareId: string;
  name: string;
  onClose: () => void;
}

export const CopyDialog = ({ shareId, name: first, onClose }: CopyDialogProps) => {
  const { data, error, isPending } = useQuery({ queryKey: ['bases'], queryFn: () => ask(listBases, {}), retry: false });
  const bases = (data ?? []).filter((base) => allows(standingIn(base), 'table|create'));
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState(first);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [made, setMade] = useState<Made>();
  const [progress, setProgress] = useState('');
  const baseId = chosen === '' ? (bases[0]?.id ?? '') : chosen;
  const copy = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setRefusal(null);
    try {
      const answer = await ask(copyShareToBase, { params: { shareId }, body: { baseId, name } });
      setMade(answer.jobId === undefined ? (answer as Made) : await followJob(answer.jobId, baseId, setProgress));
    } catch (thrown) {
      setRefusal(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Copy to my base"
      description="Makes a table with the fields and records that this page shows. It does not update when the original changes."
    >
      {isPending && <Loading />}
      {isStranger(error) && <SignInNote />}
      {error !== null && !isStranger(error) && <ProblemNote error={error} />}
      {data !== undefined && bases.length === 0 && (
        <p className="text-ink-soft">You have no base where you can create tables.</p>
      )}
      {made === undefined && bases.length > 0 && (
        <form className="flex flex-col gap-4" onSubmit={(event) => void copy(event)}>
          <SelectField
            label="Base"
            value={baseId}
            options={bases.map((base) => ({ value: base.id, label: base.name }))}
            onValue={setChosen}
          />
          <TextField
            label="Name of the table"
            required
            maxLength={255}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <ProblemNote error={refusal} />
          {busy && progress !== '' && (
            <p role="status" className="text-ink-soft">
              {progress}
            </p>
          )}
          <Button look="primary" type="submit" busy={busy} className="self-start">
            Copy
          </Button>
        </form>
      )}
      {made !== undefined && (
        <p role="status">
          {made.recordCount} {made.recordCount === 1 ? 'record' : 'records'} copied to{' '}
          <a className="font-medium text-accent underline" href={`/base/${made.baseId}/${made.tableId}`}>
            {made.name}
          </a>
          .
        </p>
      )}
    </Dialog>
  );
};
