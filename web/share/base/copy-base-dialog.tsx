// A shared base becomes one of the visitor's own, if they have an account here.
import { copySharedBase } from '@rowhouse/contract/base-share.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { listSpaces } from '@rowhouse/contract/space.ts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { allows, standingIn } from '../../app/standing.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/check-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ask } from '../ask.ts';
import { SignInNote } from '../sign-in-note.tsx';

interface CopyBaseDialogProps {
  shareId: string;
  name: string;
  onClose: () => void;
}

export const CopyBaseDialog = ({ shareId, name: first, onClose }: CopyBaseDialogProps) => {
  const { data, error, isPending } = useQuery({
    queryKey: ['own-spaces'],
    queryFn: () => ask(listSpaces, {}),
    retry: false,
  });
  const spaces = (data ?? []).filter((space) => allows(standingIn(space), 'base|create'));
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState(first);
  const [withRecords, setWithRecords] = useState(true);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [made, setMade] = useState<{ id: string; name: string }>();
  const spaceId = chosen === '' ? (spaces[0]?.id ?? '') : chosen;
  const copy = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setRefusal(null);
    try {
      setMade(await ask(copySharedBase, { params: { shareId }, body: { spaceId, name, withRecords } }));
    } catch (thrown) {
      setRefusal(thrown);
    } finally {
      setBusy(false);
    }
  };
  const isStranger = error instanceof ApiError && error.status === 401;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Copy base"
      description="Makes a base of your own with these tables. It does not update when the original changes, and cells that name people stay empty."
    >
      {isPending && <Loading />}
      {isStranger && <SignInNote />}
      {!isStranger && <ProblemNote error={error} />}
      {data !== undefined && spaces.length === 0 && (
        <p className="text-ink-soft">You have no space where you can create bases.</p>
      )}
      {made === undefined && spaces.length > 0 && (
        <form className="flex flex-col gap-4" onSubmit={(event) => void copy(event)}>
          <SelectField
            label="Space"
            value={spaceId}
            options={spaces.map((space) => ({ value: space.id, label: space.name }))}
            onValue={setChosen}
          />
          <TextField
            label="Name of the base"
            required
            maxLength={255}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <CheckField label="With its records" checked={withRecords} onChecked={setWithRecords} />
          <ProblemNote error={refusal} />
          <Button look="primary" type="submit" busy={busy} className="self-start">
            Copy
          </Button>
        </form>
      )}
      {made !== undefined && (
        <p role="status">
          Copied to{' '}
          <a className="font-medium text-accent underline" href={`/base/${made.id}`}>
            {made.name}
          </a>
          .
        </p>
      )}
    </Dialog>
  );
};
