// The runs of an automation: how each went, what its steps read and wrote, and going on where one failed.
import {
  cancelAutomationRun,
  listAutomationRuns,
  resumeAutomationRun,
  type Run,
  runStates,
} from '@rowhouse/contract/automation.ts';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { ChevronRight, Play, X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Loading } from '../ui/loading.tsx';
import { Mark } from '../ui/mark.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { fullTime, timeAgo } from '../ui/time.ts';
import type { FieldNames } from './named.ts';
import { runQuery, runsKey } from './queries.ts';
import { Data, StepResults } from './step-results.tsx';
import { runWords } from './words.ts';

interface OfAutomation {
  baseId: string;
  automationId: string;
  names: FieldNames;
}

const RunDetails = ({ baseId, automationId, names, run }: OfAutomation & { run: Run }) => {
  const params = { baseId, automationId, runId: run.id };
  const { data, error } = useQuery({ ...runQuery(baseId, automationId, run.id), refetchInterval: 3_000 });
  const refresh = () => queryClient.invalidateQueries({ queryKey: runsKey(automationId) });
  const resume = useMutation({ mutationFn: () => call(resumeAutomationRun, { params }), onSuccess: refresh });
  const cancel = useMutation({ mutationFn: () => call(cancelAutomationRun, { params }), onSuccess: refresh });
  if (data === undefined) return error === null ? <Loading /> : <ProblemNote error={error} />;
  const isGoing = data.state === 'waiting' || data.state === 'running';
  return (
    <div className="flex flex-col gap-3 px-2 pb-5 sm:pl-8">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 text-[13px] text-ink-faint">
          {fullTime(data.createdTime)}
          {data.milliseconds !== undefined && `, took ${data.milliseconds.toLocaleString('en')} ms`}
          {isGoing && data.dueTime !== undefined && `, continues at ${fullTime(data.dueTime)}`}
        </span>
        {data.state === 'failed' && (
          <Button size="small" icon={<Play size={15} />} busy={resume.isPending} onClick={() => resume.mutate()}>
            Resume from the failed step
          </Button>
        )}
        {isGoing && (
          <Button size="small" icon={<X size={15} />} busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )}
      </div>
      <ProblemNote error={resume.error ?? cancel.error} />
      {data.error !== undefined && <p className="rounded-lg bg-danger-soft px-3 py-2 text-danger">{data.error}</p>}
      <StepResults steps={data.steps} names={names} />
      <Data label="What started it" value={data.trigger} names={names} />
    </div>
  );
};

export const RunsSection = ({ baseId, automationId, names }: OfAutomation) => {
  const [state, setState] = useState<Run['state'] | ''>('');
  const [open, setOpen] = useState<string>();
  const found = useInfiniteQuery({
    queryKey: [...runsKey(automationId), 'list', state],
    queryFn: ({ pageParam, signal }) =>
      call(listAutomationRuns, {
        params: { baseId, automationId },
        query: { ...(state === '' ? {} : { state }), ...(pageParam === '' ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: 3_000,
  });
  const runs = found.data?.pages.flatMap((page) => page.runs);
  return (
    <Section
      title="Runs"
      actions={
        <SelectField
          label="State of runs"
          hideLabel
          className="w-40"
          value={state}
          options={[
            { value: '', label: 'All runs' },
            ...runStates.map((value) => ({ value, label: runWords[value].label })),
          ]}
          onValue={(next) => setState(next as Run['state'] | '')}
        />
      }
    >
      <ProblemNote error={found.error} />
      {found.isPending && <Loading />}
      {runs?.length === 0 && (
        <p className="text-ink-soft">{state === '' ? 'It has not run yet.' : 'No matching runs.'}</p>
      )}
      <ul aria-label="Runs" className="divide-y divide-line empty:hidden">
        {runs?.map((run) => {
          const { label, tone } = runWords[run.state];
          const isOpen = open === run.id;
          return (
            <li key={run.id}>
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => setOpen(isOpen ? undefined : run.id)}
                className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-2 py-2.5 text-left hover:bg-[var(--hover)]"
              >
                <ChevronRight
                  size={15}
                  aria-hidden
                  className={classNames('shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-90')}
                />
                <Mark tone={tone}>{label}</Mark>
                <span className="min-w-0 truncate">{run.recordName ?? ''}</span>
                <time
                  dateTime={run.createdTime}
                  title={fullTime(run.createdTime)}
                  className="ml-auto text-[13px] text-ink-faint"
                >
                  {timeAgo(run.createdTime)}
                </time>
              </button>
              {isOpen && <RunDetails baseId={baseId} automationId={automationId} names={names} run={run} />}
            </li>
          );
        })}
      </ul>
      {found.hasNextPage && (
        <Button className="mt-4" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Section>
  );
};
