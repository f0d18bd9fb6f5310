// Adds a provider or changes one. What the form does not ask stays as it was.
import {
  createAuthentication,
  type OrganizationProvider,
  type ProviderConfig,
  updateAuthentication,
} from '@rowhouse/contract/enterprise.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TextField } from '../ui/text-field.tsx';
import { reload } from './queries.ts';

interface ProviderProps {
  organizationId: string;
  provider?: OrganizationProvider;
  onClose: () => void;
}

const claimText = (claim: ProviderConfig['groupsClaim']): string => (typeof claim === 'string' ? claim : '');

export const ProviderDialog = ({ organizationId, provider, onClose }: ProviderProps) => {
  const [name, setName] = useState(provider?.name ?? '');
  const [issuer, setIssuer] = useState(provider?.config.issuer ?? '');
  const [clientId, setClientId] = useState(provider?.config.clientId ?? '');
  const [clientSecret, setClientSecret] = useState('');
  const [groupsClaim, setGroupsClaim] = useState(claimText(provider?.config.groupsClaim));
  const [createsAccounts, setCreatesAccounts] = useState(provider?.config.createsAccounts !== false);
  const save = useMutation({
    mutationFn: () => {
      // A claim in parts is made over the API, and not shown here.
      const { groupsClaim: before, ...rest } = provider?.config ?? {};
      const claim = groupsClaim.trim() === '' && Array.isArray(before) ? before : groupsClaim.trim();
      const body = {
        type: 'oidc' as const,
        name: name.trim(),
        config: {
          ...rest,
          issuer: issuer.trim(),
          clientId: clientId.trim(),
          createsAccounts,
          ...(clientSecret === '' ? {} : { clientSecret }),
          ...(claim === '' ? {} : { groupsClaim: claim }),
        },
      };
      return provider === undefined
        ? call(createAuthentication, { params: { organizationId }, body })
        : call(updateAuthentication, { params: { organizationId, providerId: provider.id }, body });
    },
    onSuccess: async () => {
      await reload();
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={provider === undefined ? 'Add provider' : `Change ${provider.name}`} wide>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextField
          label="Name"
          autoFocus
          required
          maxLength={60}
          placeholder="Example Inc."
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Issuer"
          required
          maxLength={500}
          placeholder="https://id.example.com/realms/main"
          hint="As the provider calls itself, character by character."
          value={issuer}
          onChange={(event) => setIssuer(event.target.value)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Client ID"
            required
            maxLength={500}
            value={clientId}
            onChange={(event) => setClientId(event.target.value)}
          />
          <TextField
            label="Client secret"
            type="password"
            autoComplete="off"
            maxLength={2_000}
            placeholder={provider === undefined ? '' : 'As it was'}
            value={clientSecret}
            onChange={(event) => setClientSecret(event.target.value)}
          />
        </div>
        <TextField
          label="Claim with groups"
          maxLength={200}
          placeholder="groups"
          hint="Which value is which department is said over the API."
          value={groupsClaim}
          onChange={(event) => setGroupsClaim(event.target.value)}
        />
        <CheckField
          label="Make accounts"
          hint="People of the verified domains get an account when they first sign in."
          checked={createsAccounts}
          onChecked={setCreatesAccounts}
        />
        <ProblemNote error={save.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={save.isPending}>
            {provider === undefined ? 'Add' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
