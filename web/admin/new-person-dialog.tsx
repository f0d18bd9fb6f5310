// An account for somebody: an address, and a link with which they choose a password.
import { createAdminUser } from '@rowhouse/contract/admin-user.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TextField } from '../ui/text-field.tsx';
import { LinkDialog } from './person-acts.tsx';
import { reloadAdmin } from './queries.ts';

export const NewPersonDialog = ({ onClose }: { onClose: () => void }) => {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [isAdmin, setAdmin] = useState(false);
  const make = useMutation({
    mutationFn: () =>
      call(createAdminUser, {
        body: { email: email.trim(), isAdmin, ...(name.trim() === '' ? {} : { name: name.trim() }) },
      }),
    onSuccess: reloadAdmin,
  });
  if (make.data !== undefined)
    return <LinkDialog link={make.data.link} isMailed={make.data.isMailed} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="New account" description="They get a link to choose a password with.">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <TextField
          label="E-mail"
          type="email"
          required
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Name"
          maxLength={200}
          placeholder="The part before the @"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <CheckField
          label="Administrator"
          hint="Can do everything on these pages."
          checked={isAdmin}
          onChecked={setAdmin}
        />
        <ProblemNote error={make.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={make.isPending} disabled={email.trim() === ''}>
            Create account
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
