import { createAccessToken } from '@rowhouse/contract/access-token.ts';
import { type Action, actions } from '@rowhouse/contract/permission.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { spacesQuery } from '../home/spaces-query.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { tokensQuery } from './queries.ts';

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '3650', label: 'Ten years' },
];

const usual: readonly Action[] = [
  'record|create',
  'record|read',
  'record|update',
  'record|delete',
  'table|read',
  'field|read',
  'view|read',
  'base|read',
  'space|read',
];

export const NewTokenDialog = ({ onClose }: { onClose: () => void }) => {
  const spaces = useQuery(spacesQuery).data ?? [];
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [reach, setReach] = useState('all');
  const [scopes, setScopes] = useState<readonly Action[]>(usual);
  const create = useMutation({
    mutationFn: () =>
      call(createAccessToken, {
        body: {
          name: name.trim(),
          scopes: actions.filter((action) => scopes.includes(action)),
          ...(reach === 'all' ? { hasFullAccess: true } : { spaceIds: [reach] }),
          expiredTime: new Date(Date.now() + Number(days) * 86_400_000).toISOString(),
        },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });

  if (create.data !== undefined)
    return (
      <SecretDialog
        kind="token"
        title="Copy your token now"
        warning="Anyone who has it can act in your name."
        secret={create.data.token}
        onClose={onClose}
      />
    );
  return (
    <Dialog open onClose={onClose} title="New access token" wide>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextField
          label="Name"
          autoFocus
          required
          maxLength={200}
          placeholder="Nightly import"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Access to"
            value={reach}
            options={[
              { value: 'all', label: 'All my spaces and bases' },
              ...spaces.map((space) => ({ value: space.id, label: `Only ${space.name}` })),
            ]}
            onValue={setReach}
          />
          <SelectField label="Valid for" value={days} options={lifetimes} onValue={setDays} />
        </div>
        <ScopeChoice chosen={scopes} onChange={setScopes} />
        <ProblemNote error={create.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            busy={create.isPending}
            disabled={name.trim() === '' || scopes.length === 0}
          >
            Create token
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
