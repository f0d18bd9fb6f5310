// One webhook: whether it runs and why not, what was delivered, what it tells, and its secret.
import { deleteWebhook, testWebhook, updateWebhook, type Webhook } from '@rowhouse/contract/webhook.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Power, Send } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { ErrorPage } from '../app/error-page.tsx';
import { queryClient } from '../app/query-client.ts';
import { awayFrom } from '../app/from-here.ts';
import { Page } from '../frame/page.tsx';
import { peopleQuery } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { Mark } from '../ui/mark.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { sentence } from '../ui/problem.ts';
import { Section } from '../ui/section.tsx';
import { showToast } from '../ui/toast.ts';
import { DeliveriesSection } from './deliveries-section.tsx';
import { deliveriesKey, webhookQuery, webhooksQuery } from './queries.ts';
import { bodyOf, draftOf } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { stateWords } from './webhook-words.ts';

const meaning: Record<Webhook['state'], string> = {
  on: 'Events are sent as they happen.',
  off: 'Nothing is sent. Events that happen now are not sent later.',
  paused: 'Nothing is sent. Events collect, and are all sent when you turn it on again.',
  stopped: 'Nothing is sent. If you turn it on again, it acts as you and continues where it stopped.',
};

const StateSection = ({ baseId, webhook }: { baseId: string; webhook: Webhook }) => {
  const params = { baseId, webhookId: webhook.id };
  const { label, tone } = stateWords[webhook.state];
  const actor = useQuery(peopleQuery(baseId)).data?.users.find(({ id }) => id === webhook.actsAs);
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: webhooksQuery(baseId).queryKey }),
      queryClient.invalidateQueries({ queryKey: deliveriesKey(webhook.id) }),
    ]);
  const turn = useMutation({
    mutationFn: (isOn: boolean) => call(updateWebhook, { params, body: { isOn } }),
    onSuccess: refresh,
  });
  const probe = useMutation({
    mutationFn: () => call(testWebhook, { params }),
    onSuccess: async () => {
      await refresh();
      showToast({ kind: 'note', title: 'Test sent. It is listed under Deliveries.' });
    },
  });
  return (
    <Section
      title="State"
      actions={
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            icon={<Send size={15} />}
            busy={probe.isPending}
            disabled={webhook.state !== 'on'}
            onClick={() => probe.mutate()}
          >
            Send a test
          </Button>
          <Button
            size="small"
            look={webhook.state === 'on' ? 'secondary' : 'primary'}
            icon={<Power size={15} />}
            busy={turn.isPending}
            onClick={() => turn.mutate(webhook.state !== 'on')}
          >
            {webhook.state === 'on' ? 'Turn off' : webhook.state === 'off' ? 'Turn on' : 'Turn on again'}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-2">
        <p className="flex flex-wrap items-center gap-2">
          <Mark tone={tone}>{label}</Mark> {meaning[webhook.state]}
        </p>
        {webhook.state !== 'on' && webhook.reason !== undefined && (
          <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-warn">
            {sentence(webhook.reason)}
          </p>
        )}
        <p className="text-[13px] text-ink-soft">
          {webhook.waiting === 0
            ? 'No deliveries are waiting.'
            : `${webhook.waiting.toLocaleString('en')} waiting to be delivered.`}{' '}
          It sends what {actor?.name ?? 'a person who has left'} can see.
        </p>
        <ProblemNote error={turn.error ?? probe.error} />
      </div>
    </Section>
  );
};

const SettingsSection = ({ baseId, webhook }: { baseId: string; webhook: Webhook }) => {
  const save = useMutation({
    mutationFn: (draft: ReturnType<typeof draftOf>) =>
      call(updateWebhook, { params: { baseId, webhookId: webhook.id }, body: bodyOf(draft) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: webhooksQuery(baseId).queryKey });
      showToast({ kind: 'note', title: 'The webhook was saved.' });
    },
  });
  return (
    <Section title="Events and destination" lead="After you save, it sends what you can see.">
      <WebhookForm
        baseId={baseId}
        initial={draftOf(webhook)}
        action="Save"
        busy={save.isPending}
        error={save.error}
        onSubmit={(draft) => save.mutate(draft)}
      />
    </Section>
  );
};

export const WebhookPage = () => {
  const { baseId, webhookId } = useParams({ from: '/signed-in/base/$baseId/webhooks/$webhookId' });
  const navigate = useNavigate();
  // What a receiver answers changes it: it is read again while someone looks.
  const { data: webhook, error } = useQuery({ ...webhookQuery(baseId, webhookId), refetchInterval: 5_000 });
  const [isDeleting, setDeleting] = useState(false);
  if (webhook === undefined) return error === null ? <Loading /> : <ErrorPage error={error} />;
  return (
    <Page title={webhook.name} lead={webhook.url}>
      <div className="flex flex-col gap-6">
        <StateSection baseId={baseId} webhook={webhook} />
        <DeliveriesSection baseId={baseId} webhookId={webhookId} />
        <SettingsSection key={webhookId} baseId={baseId} webhook={webhook} />
        <WebhookSecret baseId={baseId} webhook={webhook} />
        <Section title="Delete" lead="Its deliveries are deleted with it. This cannot be undone.">
          <Button look="danger" onClick={() => setDeleting(true)}>
            Delete webhook
          </Button>
        </Section>
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete ${webhook.name}?`}
          description="Nothing more is sent, including deliveries that are waiting. Its deliveries are deleted with it."
          action="Delete webhook"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await call(deleteWebhook, { params: { baseId, webhookId } });
            await awayFrom(webhookId, () =>
              navigate({ to: '/base/$baseId/webhooks', params: { baseId }, replace: true }),
            );
            queryClient.removeQueries({ queryKey: webhookQuery(baseId, webhookId).queryKey });
            await queryClient.invalidateQueries({ queryKey: webhooksQuery(baseId).queryKey });
          }}
        />
      )}
    </Page>
  );
};
