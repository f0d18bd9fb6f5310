import { addPassword, changePassword } from '@rowhouse/contract/auth.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { meKey, queryClient } from '../app/query-client.ts';
import { FormSection } from '../ui/form-section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.ts';

/** For accounts that were made by signing in through a provider. */
const AddPasswordForm = () => {
  const [password, setPassword] = useState('');
  const add = useMutation({
    mutationFn: () => call(addPassword, { body: { password } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: meKey });
      showToast({ kind: 'note', title: 'Your account has a password now.' });
    },
  });
  return (
    <FormSection
      title="Password"
      lead="Your account has no password. With one you can also sign in without your provider."
      action="Add password"
      busy={add.isPending}
      error={add.error}
      onSubmit={() => add.mutate()}
    >
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        hint="At least 8 characters, with a letter and a digit."
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormSection>
  );
};

const ChangePasswordForm = () => {
  const [password, setPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () => call(changePassword, { body: { password, newPassword } }),
    onSuccess: async () => {
      queryClient.clear();
      queryClient.setQueryData(meKey, null);
      await navigate({ to: '/login', search: { redirect: '/account' } });
      showToast({ kind: 'note', title: 'Your password was changed.', detail: 'Sign in with the new one.' });
    },
  });
  return (
    <FormSection
      title="Password"
      lead="Changing it signs you out everywhere. Access tokens stay valid."
      action="Change password"
      busy={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        hint="At least 8 characters, with a letter and a digit."
        value={newPassword}
        onChange={(event) => setNewPassword(event.target.value)}
      />
    </FormSection>
  );
};

export const PasswordForm = () => (useMe().hasPassword ? <ChangePasswordForm /> : <AddPasswordForm />);
