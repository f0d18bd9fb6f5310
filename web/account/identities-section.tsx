// The identities that sign in to this account, and providers that can be linked.
import { linkIdentity, listIdentities, unlinkIdentity } from '@rowhouse/contract/identity.ts';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { fromHere } from '../app/from-here.ts';
import { signInOptionsQuery, useMe } from '../app/me.ts';
import { ProviderProblem } from '../app/provider-problem.tsx';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { timeAgo } from '../ui/time.ts';

const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: ({ signal }) => call(listIdentities, { signal }),
});

const LinkForm = ({ providers }: { providers: readonly { id: string; name: string }[] }) => {
  const me = useMe();
  const [password, setPassword] = useState('');
  const link = useMutation({
    mutationFn: async (providerId: string) => {
      const leadOn = fromHere();
      const { url } = await call(linkIdentity, { body: { providerId, ...(password === '' ? {} : { password }) } });
      await leadOn(async () => window.location.assign(url));
    },
  });
  return (
    <form className="flex max-w-md flex-col gap-4" onSubmit={(event) => event.preventDefault()}>
      {me.hasPassword && (
        <TextField
          label="Your password"
          type="password"
          autoComplete="current-password"
          hint="Not needed within ten minutes of signing in."
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
      <ProblemNote error={link.error} />
      <div className="flex flex-wrap gap-2">
        {providers.map(({ id, name }) => (
          <Button key={id} busy={link.isPending && link.variables === id} onClick={() => link.mutate(id)}>
            Link {name}
          </Button>
        ))}
      </div>
    </form>
  );
};

export const IdentitiesSection = () => {
  const search = useSearch({ from: '/signed-in/account' });
  const identities = useQuery(identitiesQuery);
  const providers = useQuery(signInOptionsQuery).data?.providers ?? [];
  const [leaving, setLeaving] = useState<{ id: string; name: string } | null>(null);
  const linked = identities.data ?? [];
  if (providers.length === 0 && linked.length === 0) return null;
  return (
    <Section title="Linked identities" lead="Sign in to this account through another provider.">
      <div className="flex flex-col gap-4">
        <ProviderProblem {...search} />
        <ProblemNote error={identities.error} />
        {linked.length > 0 && (
          <ul aria-label="Linked identities" className="divide-y divide-line rounded-lg border border-line">
            {linked.map(({ id, provider, issuer, email, createdTime, lastUsedTime }) => (
              <li key={id} className="flex flex-wrap items-center gap-3 px-3 py-2.5">
                <div className="min-w-0 flex-1 basis-48">
                  <p className="truncate font-medium">{provider?.name ?? issuer}</p>
                  <p className="text-[13px] break-words text-ink-soft">
                    {email !== null && `${email} · `}
                    {provider === null
                      ? 'This server no longer offers it.'
                      : lastUsedTime === null
                        ? `Linked ${timeAgo(createdTime)}`
                        : `Last used ${timeAgo(lastUsedTime)}`}
                  </p>
                </div>
                <Button size="small" onClick={() => setLeaving({ id, name: provider?.name ?? issuer })}>
                  Unlink
                </Button>
              </li>
            ))}
          </ul>
        )}
        {providers.length > 0 && <LinkForm providers={providers} />}
      </div>
      {leaving !== null && (
        <ConfirmDialog
          title={`Unlink ${leaving.name}?`}
          description="You can no longer sign in with it. You are signed out everywhere else."
          action="Unlink"
          onConfirm={async () => {
            await call(unlinkIdentity, { params: { identityId: leaving.id } });
            await queryClient.invalidateQueries({ queryKey: identitiesQuery.queryKey });
          }}
          onClose={() => setLeaving(null)}
        />
      )}
    </Section>
  );
};
