import { createOauthSecret, deleteOauthSecret, type OauthClient } from '@rowhouse/contract/oauth.ts';
import { useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { fullTime, timeAgo } from '../ui/time.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { Section } from '../ui/section.tsx';
import { oauthAppQuery } from './queries.ts';

/** Without the stars in front. */
const endingOf = (masked: string): string => masked.replace(/^\*+/, '');

export const OauthSecrets = ({ app }: { app: OauthClient }) => {
  const { clientId, secrets } = app;
  const [deleting, setDeleting] = useState<OauthClient['secrets'][number] | null>(null);
  const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: oauthAppQuery(clientId).queryKey });
  const generate = useMutation({
    mutationFn: () => call(createOauthSecret, { params: { clientId } }),
    onSuccess: reload,
  });

  return (
    <Section
      title="Secrets"
      lead="The application proves its identity with a secret."
      actions={
        <Button size="small" icon={<Plus size={15} />} busy={generate.isPending} onClick={() => generate.mutate()}>
          Generate secret
        </Button>
      }
    >
      <ProblemNote error={generate.error} />
      {secrets.length === 0 && (
        <p className="text-ink-soft">
          No secret yet: the application is public, must use PKCE, and people confirm every sign-in.
        </p>
      )}
      {secrets.length > 0 && (
        <ul aria-label="Secrets" className="divide-y divide-line overflow-hidden rounded-xl border border-line">
          {secrets.map((secret) => (
            <li key={secret.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 basis-48">
                <p className="font-mono text-[13px] break-all">
                  <span aria-hidden>••••••••</span>
                  {endingOf(secret.secret)}
                </p>
                <p
                  className="text-[13px] text-ink-faint"
                  title={secret.lastUsedTime === undefined ? undefined : fullTime(secret.lastUsedTime)}
                >
                  {secret.lastUsedTime === undefined ? 'Never used' : `Last used ${timeAgo(secret.lastUsedTime)}`}
                </p>
              </div>
              <Button
                size="small"
                onClick={() => setDeleting(secret)}
                aria-label={`Delete the secret that ends in ${endingOf(secret.secret)}`}
              >
                Delete
              </Button>
            </li>
          ))}
        </ul>
      )}
      {generate.data !== undefined && (
        <SecretDialog
          kind="secret"
          title="Copy the secret now"
          warning="Anyone who has it can pretend to be your application."
          secret={generate.data.secret}
          onClose={generate.reset}
        />
      )}
      {deleting !== null && (
        <ConfirmDialog
          title={`Delete the secret that ends in ${endingOf(deleting.secret)}?`}
          description={`Access that was last renewed with it ends immediately. ${
            secrets.length === 1
              ? 'It is the only one: without a secret the application is public and must use PKCE. '
              : ''
          }To replace it, generate the new one first and let the application renew its tokens.`}
          action="Delete secret"
          onClose={() => setDeleting(null)}
          onConfirm={async () => {
            await call(deleteOauthSecret, { params: { clientId, secretId: deleting.id } });
            await reload();
          }}
        />
      )}
    </Section>
  );
};
