import { type FormEvent, useState } from 'react';
import { ApiError } from '@rowhouse/contract/error.ts';
import { messageOf } from './ask.ts';

const inputClass =
  'h-10 w-full rounded-lg border border-line-strong bg-surface px-3 text-ink focus:border-accent focus:outline-2 focus:outline-accent';

const reasonOf = (error: unknown): string =>
  error instanceof ApiError && error.status === 400 ? 'The password is wrong.' : messageOf(error);

interface PasswordFormProps {
  /** Rejects when it is wrong. */
  onPassword: (password: string) => Promise<unknown>;
  onOpen: () => void;
}

export const PasswordForm = ({ onPassword, onOpen }: PasswordFormProps) => {
  const [password, setPassword] = useState('');
  const [reason, setReason] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setReason(null);
    try {
      await onPassword(password);
      onOpen();
    } catch (error) {
      setReason(reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="mx-auto mt-[16vh] w-full max-w-sm px-4">
      <form
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-3 rounded-2xl border border-line bg-surface p-6 shadow-card"
      >
        <h1 className="text-[17px] font-semibold">This link is protected by a password</h1>
        <label className="flex flex-col gap-1.5">
          <span className="font-medium">Password</span>
          <input
            type="password"
            required
            autoFocus
            maxLength={128}
            autoComplete="off"
            className={inputClass}
            value={password}
            aria-invalid={reason !== null}
            onChange={(event) => setPassword(event.target.value)}
          />
        </label>
        {reason !== null && (
          <p role="alert" className="text-danger">
            {reason}
          </p>
        )}
        <button
          type="submit"
          disabled={isBusy || password === ''}
          className="h-10 rounded-lg bg-accent font-medium text-accent-ink hover:bg-accent-strong disabled:opacity-55"
        >
          Open
        </button>
      </form>
    </main>
  );
};
