// The way to the sign-in of an organisation: its verified domain names the provider, and the browser leaves the app.
import { getSignInOptions } from '@rowhouse/contract/auth.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { signInOptionsQuery } from '../app/me.ts';
import { OneFieldForm } from './one-field-form.tsx';

export const OrganizationForm = ({ wanted }: { wanted: string | undefined }) => {
  const known = new Set(useQuery(signInOptionsQuery).data?.providers.map(({ id }) => id));
  return (
    <OneFieldForm
      label="E-mail"
      type="email"
      autoComplete="username"
      action="Continue"
      onSubmit={async (email) => {
        const { providers } = await call(getSignInOptions, { query: { email } });
        const own = providers.find(({ id }) => !known.has(id));
        if (own === undefined)
          throw invalid({ path: 'email', message: 'No organisation signs in people with this address' });
        const query = wanted === undefined ? '' : `?${new URLSearchParams({ redirect: wanted })}`;
        window.location.assign(`/api/auth/oidc/${own.id}${query}`);
      }}
    />
  );
};
