import { type ComponentProps, type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TextField } from '../ui/text-field.tsx';

interface OneFieldFormProps
  extends Pick<
    ComponentProps<typeof TextField>,
    'label' | 'hint' | 'type' | 'autoComplete' | 'inputMode' | 'minLength'
  > {
  action: string;
  onSubmit: (value: string) => Promise<void>;
}

/** One question and one button: a code, an address, a new password. */
export const OneFieldForm = ({ action, onSubmit, ...field }: OneFieldFormProps) => {
  const [value, setValue] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      // Spaces around a password are part of it.
      await onSubmit(field.type === 'password' ? value : value.trim());
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField required autoFocus value={value} onChange={(event) => setValue(event.target.value)} {...field} />
      <ProblemNote error={error} />
      <Button look="primary" size="large" type="submit" busy={busy}>
        {action}
      </Button>
    </form>
  );
};

/** For codes that were mailed or that an app shows. */
export const codeField = { label: 'Code', autoComplete: 'one-time-code', inputMode: 'text' } as const;
