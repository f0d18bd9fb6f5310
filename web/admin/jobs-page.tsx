// Background work: what runs, waits or has failed, and a way to try it again.
import { type AdminJob, retryAdminJob } from '@rowhouse/contract/admin-health.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ListChecks, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark, type Tone } from '../ui/mark.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { fullTime, timeAgo } from '../ui/time.ts';
import { AdminFrame } from './admin-frame.tsx';
import { cardClass, ListState } from './list-state.tsx';
import { jobsQuery, reloadAdmin } from './queries.ts';

type State = AdminJob['state'] | 'failing';

const stateWords: Record<State, string> = {
  failed: 'Failed',
  failing: 'Tried again later',
  running: 'Running',
  waiting: 'Waiting',
  done: 'Done',
  cancelled: 'Cancelled',
};

const tones: Record<State, Tone> = {
  failed: 'bad',
  failing: 'warn',
  running: 'good',
  waiting: 'idle',
  done: 'idle',
  cancelled: 'idle',
};

/** `send-email` is said as "Send email". */
const nameOf = (kind: string): string => {
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const everyOf = (seconds: number): string =>
  seconds % 3_600 === 0
    ? `every ${seconds / 3_600} h`
    : seconds % 60 === 0
      ? `every ${seconds / 60} min`
      : `every ${seconds} s`;

const detailOf = ({ createdBy, every, attempt, progress, dueTime, state }: AdminJob): string =>
  [
    createdBy === null ? 'The server itself' : createdBy.name,
    ...(every === null ? [] : [everyOf(every)]),
    ...(progress === null
      ? []
      : [
          `${progress.done.toLocaleString()}${progress.total === null ? '' : ` of ${progress.total.toLocaleString()}`}`,
        ]),
    ...(attempt > 1 ? [`try ${attempt}`] : []),
    ...(state === 'waiting' && dueTime !== null ? [`due ${timeAgo(dueTime)}`] : []),
  ].join(' · ');

const Row = ({ job }: { job: AdminJob }) => {
  const retry = useMutation({
    mutationFn: () => call(retryAdminJob, { params: { jobId: job.id } }),
    onSettled: reloadAdmin,
  });
  const state: State = job.state === 'waiting' && job.error !== null ? 'failing' : job.state;
  const time = job.finishedTime ?? job.startedTime ?? job.createdTime;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{nameOf(job.kind)}</span>
          <Mark tone={tones[state]}>{stateWords[state]}</Mark>
        </p>
        <p className="text-[13px] break-words text-ink-soft">{detailOf(job)}</p>
        {job.error !== null && <p className="mt-1 text-[13px] break-words text-danger">{job.error}</p>}
        <ProblemNote error={retry.error} />
      </div>
      <time dateTime={time} title={fullTime(time)} className="text-[13px] whitespace-nowrap text-ink-soft">
        {timeAgo(time)}
      </time>
      {job.canRetry && (
        <Button
          size="small"
          icon={<RotateCcw size={14} />}
          busy={retry.isPending}
          aria-label={`Try again: ${nameOf(job.kind)}`}
          onClick={() => retry.mutate()}
        >
          Try again
        </Button>
      )}
    </li>
  );
};

export const JobsPage = () => {
  const [state, setState] = useState<State | ''>('');
  // Of the pages before this one.
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const { data, error, isPending, refetch } = useQuery(
    jobsQuery({ take: 50, ...(state === '' ? {} : { state }), ...(cursor === undefined ? {} : { cursor }) }),
  );
  const countOf = (of: string): number =>
    data?.counts.filter((row) => row.state === of).reduce((sum, { count }) => sum + count, 0) ?? 0;
  const figures = (['running', 'waiting', 'failed'] as const).map((of) => ({ of, count: countOf(of) }));
  return (
    <AdminFrame
      title="Jobs"
      lead="Work that no request waits for: e-mails, imports, clearing up. Finished jobs are kept for a week."
    >
      <dl className="mb-5 grid grid-cols-3 gap-3">
        {figures.map(({ of, count }) => (
          <div key={of} className={`${cardClass} px-4 py-3`}>
            <dt className="text-[13px] text-ink-soft">{stateWords[of]}</dt>
            <dd className={`text-[22px] font-semibold ${of === 'failed' && count > 0 ? 'text-danger' : ''}`}>
              {count.toLocaleString()}
            </dd>
          </div>
        ))}
      </dl>
      <SelectField
        label="State"
        hideLabel
        className="mb-4 w-full sm:w-52"
        value={state}
        options={[
          { value: '', label: 'All jobs' },
          ...Object.entries(stateWords).map(([value, label]) => ({ value, label })),
        ]}
        onValue={(value) => {
          setCursors([]);
          setState(value as State | '');
        }}
      />
      <ListState
        error={error}
        isLoading={isPending}
        onRetry={() => void refetch()}
        empty={
          data?.jobs.length === 0 ? (
            <EmptyState icon={<ListChecks size={20} />} title="No jobs">
              {state === 'failed' ? 'Nothing has failed within the last week.' : 'There is nothing of this kind.'}
            </EmptyState>
          ) : undefined
        }
      >
        <ul aria-label="Jobs" className={`${cardClass} divide-y divide-line`}>
          {data?.jobs.map((job) => (
            <Row key={job.id} job={job} />
          ))}
        </ul>
        <div className="mt-4 flex justify-end gap-2">
          {cursors.length > 0 && (
            <Button size="small" onClick={() => setCursors((before) => before.slice(0, -1))}>
              Newer
            </Button>
          )}
          {data?.nextCursor !== null && data !== undefined && (
            <Button size="small" onClick={() => setCursors((before) => [...before, data.nextCursor as string])}>
              Older
            </Button>
          )}
        </div>
      </ListState>
    </AdminFrame>
  );
};
