import { renameUser } from '@rowhouse/contract/user.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { meKey, queryClient } from '../app/query-client.ts';
import { FormSection } from '../ui/form-section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.ts';
import { AvatarField } from './avatar-field.tsx';

export const ProfileForm = () => {
  const me = useMe();
  const [name, setName] = useState(me.name);
  const save = useMutation({
    mutationFn: () => call(renameUser, { body: { name: name.trim() } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: meKey });
      showToast({ kind: 'note', title: 'Your name was changed.' });
    },
  });
  return (
    <FormSection
      title="Profile"
      before={<AvatarField />}
      action="Save"
      look="primary"
      busy={save.isPending}
      disabled={name.trim() === '' || name === me.name}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      <TextField label="Name" required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
    </FormSection>
  );
};
