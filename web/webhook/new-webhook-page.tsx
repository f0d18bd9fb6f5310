import { createWebhook } from '@rowhouse/contract/webhook.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Page } from '../frame/page.tsx';
import { Section } from '../ui/section.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { webhooksQuery } from './queries.ts';
import { bodyOf, newDraft, type WebhookDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';

export const NewWebhookPage = () => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (draft: WebhookDraft) => call(createWebhook, { params: { baseId }, body: bodyOf(draft) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksQuery(baseId).queryKey }),
  });
  return (
    <Page title="New webhook" lead="It sends what you can see in this base, from now on.">
      <Section title="Events and destination">
        <WebhookForm
          baseId={baseId}
          initial={newDraft}
          action="Create webhook"
          busy={create.isPending}
          error={create.error}
          onSubmit={(draft) => create.mutate(draft)}
        />
      </Section>
      {create.data !== undefined && (
        <SecretDialog
          kind="secret"
          title="Copy the secret now"
          warning="The receiver checks with it that requests come from here; anyone who has it can sign requests."
          secret={create.data.secret}
          onClose={() =>
            void navigate({
              to: '/base/$baseId/webhooks/$webhookId',
              params: { baseId, webhookId: create.data.id },
              replace: true,
            })
          }
        />
      )}
    </Page>
  );
};
