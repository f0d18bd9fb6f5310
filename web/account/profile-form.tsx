import { renameUser } from '@rowhouse/contract/user.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { meKey, queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { AvatarField } from './avatar-field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.ts';

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
    <Section title="Profile">
      <AvatarField />
      <form
        className="flex max-w-md flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextField label="Name" required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
        <ProblemNote error={save.error} />
        <Button look="primary" type="submit" className="self-start" busy={save.isPending} disabled={name.trim() === '' || name === me.name}>
          Save
        </Button>
      </form>
    </Section>
  );
};
