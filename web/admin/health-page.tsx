import type { HealthPart } from '@rowhouse/contract/admin-health.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Mark, type Tone } from '../ui/mark.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { cardClass, ListState } from './list-state.tsx';
import { healthQuery } from './queries.ts';

type State = HealthPart['state'];

const looks: Record<State, { tone: Tone; word: string; icon: typeof CircleCheck; className: string; summary: string }> =
  {
    ok: {
      tone: 'good',
      word: 'Works',
      icon: CircleCheck,
      className: 'bg-accent-soft text-accent',
      summary: 'Everything works',
    },
    warning: {
      tone: 'warn',
      word: 'Look at this',
      icon: TriangleAlert,
      className: 'bg-warn-soft text-warn',
      summary: 'Everything works, and something should be looked at',
    },
    problem: {
      tone: 'bad',
      word: 'Problem',
      icon: CircleAlert,
      className: 'bg-danger-soft text-danger',
      summary: 'Something does not work',
    },
  };

const worstFirst: readonly State[] = ['problem', 'warning', 'ok'];

const Part = ({ part }: { part: HealthPart }) => (
  <li className="flex flex-wrap items-start gap-x-4 gap-y-1 px-4 py-3">
    <div className="min-w-0 flex-1 basis-64">
      <p className="font-medium">
        {part.name}
        {part.version !== null && <span className="ml-2 font-normal text-ink-soft">{part.version}</span>}
      </p>
      <p className="text-[13px] break-words text-ink-soft">{part.detail}</p>
    </div>
    <Mark tone={looks[part.state].tone}>{looks[part.state].word}</Mark>
  </li>
);

export const HealthPage = () => {
  const { data, error, isPending, isFetching, refetch } = useQuery(healthQuery);
  const look = looks[data?.state ?? 'ok'];
  return (
    <AdminFrame
      title="Health"
      lead="The parts of this server and their versions."
      actions={
        <Button icon={<RefreshCw size={15} />} busy={isFetching} onClick={() => void refetch()}>
          Check again
        </Button>
      }
    >
      <ListState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        <p
          role="status"
          className={`mb-4 flex items-center gap-2.5 rounded-2xl px-4 py-3 font-medium ${look.className}`}
        >
          <look.icon size={18} aria-hidden className="shrink-0" />
          {look.summary}
        </p>
        <ul aria-label="Parts" className={`${cardClass} divide-y divide-line`}>
          {worstFirst.flatMap((state) =>
            (data?.parts ?? [])
              .filter((part) => part.state === state)
              .map((part) => <Part key={part.name} part={part} />),
          )}
        </ul>
      </ListState>
    </AdminFrame>
  );
};
