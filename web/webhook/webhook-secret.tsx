import { rotateWebhookSecret, type Webhook } from '@rowhouse/contract/webhook.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { Section } from '../ui/section.tsx';
import { fullTime } from '../ui/time.ts';
import { webhooksQuery } from './queries.ts';

export const WebhookSecret = ({ baseId, webhook }: { baseId: string; webhook: Webhook }) => {
  const rotate = useMutation({
    mutationFn: () => call(rotateWebhookSecret, { params: { baseId, webhookId: webhook.id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksQuery(baseId).queryKey }),
  });
  return (
    <Section
      title="Secret"
      lead="Every request is signed with it, so that the receiver knows where it comes from. It was shown when the webhook was made."
      actions={
        <Button busy={rotate.isPending} onClick={() => rotate.mutate()}>
          Make a new secret
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-ink-soft">
          {webhook.formerSecretUntil === undefined
            ? 'After you create a new one, both sign for 24 hours, so that you can update the receiver.'
            : `The previous secret also signs until ${fullTime(webhook.formerSecretUntil)}.`}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <span className="text-[13px] text-ink-faint">Public key</span>
          <code className="min-w-0 font-mono text-[13px] break-all select-all">{webhook.publicKey}</code>
          <CopyButton text={webhook.publicKey} label="Copy public key" />
        </div>
        <ProblemNote error={rotate.error} />
      </div>
      {rotate.data !== undefined && (
        <SecretDialog
          kind="secret"
          title="Copy the new secret now"
          warning={`The previous one also signs until ${fullTime(rotate.data.formerSecretUntil)}.`}
          secret={rotate.data.secret}
          onClose={() => rotate.reset()}
        />
      )}
    </Section>
  );
};
