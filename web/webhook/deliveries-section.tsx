// What a webhook sent in the last 30 days: searched, by state, page by page; one opens below its row.
import { listWebhookDeliveries, resendWebhookDeliveries, type WebhookDelivery } from '@rowhouse/contract/webhook.ts';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { ChevronRight, History } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { Mark } from '../ui/mark.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { fullTime, timeAgo } from '../ui/time.ts';
import { showToast } from '../ui/toast.ts';
import { DeliveryDetails } from './delivery-details.tsx';
import { deliveriesKey } from './queries.ts';
import { eventLabel } from './webhook-words.ts';

type State = WebhookDelivery['state'];

const stateOf = ({ state, attempts }: WebhookDelivery): { label: string; tone: 'good' | 'warn' | 'idle' } =>
  state === 'delivered'
    ? { label: 'Delivered', tone: 'good' }
    : attempts === 0
      ? { label: 'Waiting', tone: 'idle' }
      : { label: 'Failed, will be retried', tone: 'warn' };

const DeliveryRow = ({
  delivery,
  isOpen,
  onToggle,
}: {
  delivery: WebhookDelivery;
  isOpen: boolean;
  onToggle: () => void;
}) => {
  const { label, tone } = stateOf(delivery);
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-2 py-2.5 text-left hover:bg-[var(--hover)]"
    >
      <ChevronRight
        size={15}
        aria-hidden
        className={classNames('shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-90')}
      />
      <span className="font-medium">{eventLabel(delivery.event)}</span>
      <Mark tone={tone}>{label}</Mark>
      {delivery.attempts > 1 && <span className="text-[13px] text-ink-soft">{delivery.attempts} attempts</span>}
      <time
        dateTime={delivery.createdTime}
        title={fullTime(delivery.createdTime)}
        className="ml-auto text-[13px] text-ink-faint"
      >
        {timeAgo(delivery.createdTime)}
      </time>
    </button>
  );
};

/** As the field for a date and time has it, in the zone of the browser. */
const inputTime = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

const ResendDialog = ({ baseId, webhookId, onClose }: { baseId: string; webhookId: string; onClose: () => void }) => {
  const [since, setSince] = useState(() => inputTime(new Date(Date.now() - 86_400_000)));
  const send = useMutation({
    mutationFn: () =>
      call(resendWebhookDeliveries, {
        params: { baseId, webhookId },
        body: { since: new Date(since).toISOString() },
      }),
    onSuccess: async ({ count }) => {
      showToast({
        kind: 'note',
        title:
          count === 1
            ? 'One delivery will be sent again.'
            : `${count.toLocaleString('en')} deliveries will be sent again.`,
      });
      onClose();
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(webhookId) });
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Send again"
      description="Everything since a point in time is sent again with the same ids, so a receiver can ignore what it already has."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <TextField
          label="Since"
          type="datetime-local"
          required
          value={since}
          onChange={(event) => setSince(event.target.value)}
        />
        <ProblemNote error={send.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={send.isPending} disabled={since === ''}>
            Send again
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export const DeliveriesSection = ({ baseId, webhookId }: { baseId: string; webhookId: string }) => {
  const [state, setState] = useState<State | 'all'>('all');
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const [open, setOpen] = useState<string>();
  const [isResending, setResending] = useState(false);
  const found = useInfiniteQuery({
    queryKey: [...deliveriesKey(webhookId), 'list', state, search],
    queryFn: ({ pageParam, signal }) =>
      call(listWebhookDeliveries, {
        params: { baseId, webhookId },
        query: {
          ...(state === 'all' ? {} : { state }),
          ...(search === '' ? {} : { search }),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: 5_000,
  });
  const deliveries = found.data?.pages.flatMap((page) => page.deliveries);
  return (
    <Section
      title="Deliveries"
      lead="Of the last 30 days, latest first."
      actions={
        <Button size="small" icon={<History size={15} />} onClick={() => setResending(true)}>
          Send again since…
        </Button>
      }
    >
      <div className="mb-3 flex flex-wrap items-end gap-3">
        <TextField
          label="Search"
          type="search"
          maxLength={100}
          className="min-w-0 flex-1 basis-60"
          placeholder="Record, delivery or event"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Choice
          label="State of deliveries"
          value={state}
          options={[
            { value: 'all', label: 'All' },
            { value: 'waiting', label: 'Waiting' },
            { value: 'delivered', label: 'Delivered' },
          ]}
          onValue={(next) => setState(next as State | 'all')}
        />
      </div>
      <ProblemNote error={found.error} />
      {found.isPending && <Loading />}
      {deliveries?.length === 0 && (
        <p className="text-ink-soft">
          {state === 'all' && search === ''
            ? 'Nothing has been sent yet. Send a test to try it.'
            : 'No matching deliveries.'}
        </p>
      )}
      <ul aria-label="Deliveries" className="divide-y divide-line empty:hidden">
        {deliveries?.map((delivery) => (
          <li key={delivery.id}>
            <DeliveryRow
              delivery={delivery}
              isOpen={open === delivery.id}
              onToggle={() => setOpen(open === delivery.id ? undefined : delivery.id)}
            />
            {open === delivery.id && <DeliveryDetails baseId={baseId} webhookId={webhookId} deliveryId={delivery.id} />}
          </li>
        ))}
      </ul>
      {found.hasNextPage && (
        <Button className="mt-4" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Show more
        </Button>
      )}
      {isResending && <ResendDialog baseId={baseId} webhookId={webhookId} onClose={() => setResending(false)} />}
    </Section>
  );
};
