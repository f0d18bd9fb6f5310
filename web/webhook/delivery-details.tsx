// One delivery: what is sent, and what each attempt came to.
import { resendWebhookDelivery, type WholeDelivery } from '@rowhouse/contract/webhook.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { Mark } from '../ui/mark.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { fullTime } from '../ui/time.ts';
import { deliveriesKey, deliveryQuery } from './queries.ts';

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const Code = ({ label, children }: { label: string; children: string }) => (
  <pre
    tabIndex={0}
    role="region"
    aria-label={label}
    className="max-h-80 overflow-auto rounded-lg bg-sunken px-3 py-2 font-mono text-[12px] whitespace-pre-wrap break-all"
  >
    {children}
  </pre>
);

const Attempt = ({ attempt }: { attempt: WholeDelivery['log'][number] }) => {
  const isGood = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
  return (
    <li className="py-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">Attempt {attempt.attempt}</span>
        <Mark tone={isGood ? 'good' : 'bad'}>
          {attempt.status === undefined ? 'No answer' : `Answer ${attempt.status}`}
        </Mark>
        <span className="text-[13px] text-ink-soft">
          {fullTime(attempt.time)}, {attempt.milliseconds.toLocaleString('en')} ms
        </span>
      </p>
      {attempt.error !== undefined && <p className="mt-1 text-danger">{attempt.error}</p>}
      {attempt.answer !== undefined && attempt.answer !== '' && (
        <div className="mt-1.5">
          <Code label={`Answer of attempt ${attempt.attempt}`}>{attempt.answer}</Code>
        </div>
      )}
    </li>
  );
};

interface DeliveryDetailsProps {
  baseId: string;
  webhookId: string;
  deliveryId: string;
}

export const DeliveryDetails = ({ baseId, webhookId, deliveryId }: DeliveryDetailsProps) => {
  const { data, error } = useQuery({ ...deliveryQuery(baseId, webhookId, deliveryId), refetchInterval: 5_000 });
  const resend = useMutation({
    mutationFn: () => call(resendWebhookDelivery, { params: { baseId, webhookId, deliveryId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deliveriesKey(webhookId) }),
  });
  if (data === undefined) return error === null ? <Loading /> : <ProblemNote error={error} />;
  return (
    <div className="flex flex-col gap-3 px-2 pt-1 pb-5 sm:pl-8">
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 max-sm:basis-full font-mono text-[12px] break-all text-ink-faint">
          {data.id}
        </code>
        <CopyButton text={data.body} label="Copy request" />
        <Button size="small" icon={<RotateCw size={15} />} busy={resend.isPending} onClick={() => resend.mutate()}>
          Send again
        </Button>
      </div>
      <ProblemNote error={resend.error} />
      {data.state === 'waiting' && data.dueTime !== undefined && (
        <p className="text-[13px] text-ink-soft">The next attempt is at {fullTime(data.dueTime)}.</p>
      )}
      <Code label="Request">{indented(data.body)}</Code>
      {data.log.length === 0 ? (
        <p className="text-[13px] text-ink-soft">It has not been tried yet.</p>
      ) : (
        <ol aria-label="Attempts" className="divide-y divide-line">
          {data.log.map((attempt) => (
            <Attempt key={attempt.attempt} attempt={attempt} />
          ))}
        </ol>
      )}
    </div>
  );
};
