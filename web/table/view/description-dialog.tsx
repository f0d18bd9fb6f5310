import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';

export interface DescriptionDialogProps {
  title: string;
  initial: string;
  onClose: () => void;
  onSubmit: (text: string) => Promise<void>;
}

export const DescriptionDialog = ({ title, initial, onClose, onSubmit }: DescriptionDialogProps) => {
  const [text, setText] = useState(initial);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await onSubmit(text.trim());
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <TextAreaField label="Description" autoFocus rows={4} maxLength={10_000} value={text} onChange={(event) => setText(event.target.value)} />
        <ProblemNote error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
