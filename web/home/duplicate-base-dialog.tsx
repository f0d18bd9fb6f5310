import { duplicateBase } from '@rowhouse/contract/base.ts';
import { allows } from '../app/standing.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { fromHere } from '../app/from-here.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { basesQuery, spacesQuery } from './spaces-query.ts';

interface DuplicateBaseDialogProps {
  base: { id: string; name: string; spaceId?: string };
  onClose: () => void;
}

/** A copy with other ids, in a space where the person may create bases. */
export const DuplicateBaseDialog = ({ base, onClose }: DuplicateBaseDialogProps) => {
  const navigate = useNavigate();
  const spaces = (useQuery(spacesQuery).data ?? []).filter(({ role }) => allows(role, 'base|create'));
  const own = useQuery(basesQuery).data?.find(({ id }) => id === base.id)?.spaceId ?? base.spaceId;
  const [name, setName] = useState(`${base.name} copy`);
  const [chosen, setChosen] = useState<string>();
  const [withRecords, setWithRecords] = useState(true);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const spaceId = chosen ?? (spaces.some(({ id }) => id === own) ? own : spaces[0]?.id);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (spaceId === undefined) return;
    const leadOn = fromHere();
    setBusy(true);
    setError(null);
    try {
      const copy = await call(duplicateBase, {
        body: { fromBaseId: base.id, spaceId, withRecords, name: name.trim() },
      });
      await queryClient.invalidateQueries({ queryKey: basesQuery.queryKey });
      await leadOn(() => navigate({ to: '/base/$baseId', params: { baseId: copy.id } }));
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };

  return (
    <Dialog open title={`Duplicate ${base.name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <TextField
          label="Name of the copy"
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoFocus
          required
        />
        {spaces.length > 1 && (
          <SelectField
            label="Space"
            value={spaceId ?? ''}
            options={spaces.map((space) => ({ value: space.id, label: space.name }))}
            onValue={setChosen}
          />
        )}
        <label className="flex items-center gap-2.5">
          <input type="checkbox" checked={withRecords} onChange={(event) => setWithRecords(event.target.checked)} />
          Copy the records too
        </label>
        {spaces.length === 0 && <p className="text-ink-soft">There is no space where you may create bases.</p>}
        <ProblemNote error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy} disabled={spaceId === undefined || name.trim() === ''}>
            Duplicate
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
