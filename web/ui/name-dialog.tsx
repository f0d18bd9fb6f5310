import { type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNote } from './problem-note.tsx';
import { TextAreaField } from './text-area-field.tsx';
import { TextField } from './text-field.tsx';

interface NameDialogProps {
  title: string;
  label?: string;
  initial?: string;
  action: string;
  /** Several lines, which may also be none: a description. */
  isLong?: boolean;
  onClose: () => void;
  /** Closes when it resolves; what it throws is shown, with the text kept. */
  onSubmit: (name: string) => Promise<unknown>;
}

/** Asks for one text: a name, to create or to rename something, or a description. */
export const NameDialog = ({
  title,
  label = 'Name',
  initial = '',
  action,
  isLong = false,
  onClose,
  onSubmit,
}: NameDialogProps) => {
  const [name, setName] = useState(initial);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onSubmit(name.trim());
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };

  return (
    <Dialog open onClose={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {isLong ? (
          <TextAreaField
            label={label}
            value={name}
            autoFocus
            rows={4}
            maxLength={10_000}
            onChange={(event) => setName(event.target.value)}
          />
        ) : (
          <TextField
            label={label}
            value={name}
            autoFocus
            maxLength={255}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <ProblemNote error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy} disabled={!isLong && name.trim() === ''}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
