// Tokens with which a directory keeps people and departments (SCIM 2.0).
import { createScimToken, deleteScimToken } from '@rowhouse/contract/scim.ts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { Section } from '../ui/section.tsx';
import { timeAgo } from '../ui/time.ts';
import { directoryTokensQuery, reload } from './queries.ts';

type Asking = { what: 'new' } | { what: 'secret'; token: string } | { what: 'revoke'; id: string; name: string };

export const DirectorySection = ({ organizationId }: { organizationId: string }) => {
  const { data, error, isPending } = useQuery(directoryTokensQuery(organizationId));
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = (): void => setAsking(null);
  const address = `${window.location.origin}/api/scim/v2`;
  return (
    <Section
      title="Directory"
      lead="A directory such as Entra ID or Okta keeps people and departments by SCIM. Anyone shut there is shut here at once."
      actions={
        <Button size="small" icon={<Plus size={16} />} onClick={() => setAsking({ what: 'new' })}>
          New token
        </Button>
      }
    >
      <div className="mb-3 flex items-center gap-2 text-[13px]">
        <span className="text-ink-soft">Address</span>
        <code className="min-w-0 flex-1 font-mono break-all select-all">{address}</code>
        <CopyButton text={address} />
      </div>
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data?.length === 0 && <p className="text-ink-soft">No directory is connected.</p>}
      <ul aria-label="Tokens of directories" className="divide-y divide-line">
        {data?.map(({ id, name, lastUsedTime }) => (
          <li key={id} className="flex items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{name}</p>
              <p className="text-[13px] text-ink-soft">
                {lastUsedTime === null ? 'Never used' : `Last used ${timeAgo(lastUsedTime)}`}
              </p>
            </div>
            <Button size="small" onClick={() => setAsking({ what: 'revoke', id, name })} aria-label={`Revoke ${name}`}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {asking?.what === 'new' && (
        <NameDialog
          title="New token for a directory"
          action="Create"
          // What is shown next takes its place.
          onClose={() => setAsking((now) => (now?.what === 'secret' ? now : null))}
          onSubmit={async (name) => {
            const { token } = await call(createScimToken, { params: { organizationId }, body: { name } });
            await reload();
            setAsking({ what: 'secret', token });
          }}
        />
      )}
      {asking?.what === 'secret' && (
        <SecretDialog
          kind="token"
          title="Copy the token now"
          warning="Anyone who has it can make and shut accounts of your domains."
          secret={asking.token}
          onClose={close}
        />
      )}
      {asking?.what === 'revoke' && (
        <ConfirmDialog
          title={`Revoke ${asking.name}?`}
          description="The directory that uses it is disconnected immediately. People and departments stay."
          action="Revoke token"
          onClose={close}
          onConfirm={async () => {
            await call(deleteScimToken, { params: { organizationId, tokenId: asking.id } });
            await reload();
          }}
        />
      )}
    </Section>
  );
};
