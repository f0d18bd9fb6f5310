import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TextField } from '../ui/text-field.tsx';

export interface Credentials {
  email: string;
  password: string;
  /** Of a new account. */
  name?: string;
}

interface CredentialsFormProps {
  action: string;
  isNew: boolean;
  onSubmit: (credentials: Credentials) => Promise<void>;
}

export const CredentialsForm = ({ action, isNew, onSubmit }: CredentialsFormProps) => {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onSubmit({ email: email.trim(), password, ...(isNew ? { name: name.trim() } : {}) });
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {isNew && (
        <TextField
          label="Your name"
          name="name"
          required
          autoFocus
          maxLength={200}
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <TextField
        label="E-mail"
        type="email"
        name="email"
        required
        autoFocus={!isNew}
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        required
        autoComplete={isNew ? 'new-password' : 'current-password'}
        {...(isNew ? { hint: 'At least 8 characters, with a letter and a digit.', minLength: 8 } : {})}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <ProblemNote error={error} />
      <Button look="primary" size="large" type="submit" busy={busy}>
        {action}
      </Button>
    </form>
  );
};
