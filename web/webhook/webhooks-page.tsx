// The webhooks of a base, for those who may make them.
import type { Webhook } from '@rowhouse/contract/webhook.ts';
import { allows, standingIn } from '../app/standing.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { Page } from '../frame/page.tsx';
import { baseQuery } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { Mark } from '../ui/mark.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { sentence } from '../ui/problem.ts';
import { webhooksQuery } from './queries.ts';
import { eventLabel, stateWords } from './webhook-words.ts';

const Row = ({ baseId, webhook }: { baseId: string; webhook: Webhook }) => (
  <li className="relative px-5 py-4 hover:bg-[var(--hover)]">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link
        to="/base/$baseId/webhooks/$webhookId"
        params={{ baseId, webhookId: webhook.id }}
        className="min-w-0 font-medium break-words after:absolute after:inset-0"
      >
        {webhook.name}
      </Link>
      <Mark tone={stateWords[webhook.state].tone}>{stateWords[webhook.state].label}</Mark>
      {webhook.waiting > 0 && (
        <span className="text-[13px] text-ink-soft">{webhook.waiting.toLocaleString('en')} waiting</span>
      )}
    </div>
    <p className="text-[13px] break-all text-ink-soft">{webhook.url}</p>
    <p className="text-[13px] text-ink-faint">{webhook.events.map(eventLabel).join(', ')}</p>
    {webhook.state !== 'on' && webhook.reason !== undefined && (
      <p className="mt-1 text-[13px] text-warn">{sentence(webhook.reason)}</p>
    )}
  </li>
);

export const WebhooksPage = () => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const navigate = useNavigate();
  const base = useQuery(baseQuery(baseId)).data;
  const may = base !== undefined && allows(standingIn(base), 'automation|update');
  const webhooks = useQuery({ ...webhooksQuery(baseId), enabled: may });
  const add = (look: 'primary' | 'secondary') => (
    <Button
      look={look}
      icon={<Plus size={16} />}
      onClick={() => void navigate({ to: '/base/$baseId/webhooks/new', params: { baseId } })}
    >
      New webhook
    </Button>
  );
  if (base === undefined) return <Loading />;
  return (
    <Page
      title="Webhooks"
      lead="Notify another program as soon as something happens in this base."
      actions={may && webhooks.data !== undefined && webhooks.data.length > 0 && add('primary')}
    >
      {!may && <p className="text-ink-soft">Owners and creators of the base manage its webhooks.</p>}
      <ProblemNote error={webhooks.error} />
      {may && webhooks.isPending && <Loading />}
      {webhooks.data?.length === 0 && (
        <EmptyState icon={<WebhookIcon size={20} />} title="No webhooks yet" action={add('primary')}>
          Each event is sent to an address of your choice, signed, in order, and again until it has arrived.
        </EmptyState>
      )}
      {webhooks.data !== undefined && webhooks.data.length > 0 && (
        <ul
          aria-label="Webhooks"
          className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface shadow-card"
        >
          {webhooks.data.map((webhook) => (
            <Row key={webhook.id} baseId={baseId} webhook={webhook} />
          ))}
        </ul>
      )}
    </Page>
  );
};
