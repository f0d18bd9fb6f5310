import { getUsageHistory, type UsageHistory } from '@rowhouse/contract/billing.ts';
import type { PlanLimit } from '@rowhouse/contract/plan.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { call } from '../app/call.ts';
import { Choice } from '../ui/choice.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { bytesText, countText, limitOf, utcDayText, utcShortDayText } from './plan-words.ts';

const Plot = lazy(async () => ({ default: (await import('../ui/plot.tsx')).Plot }));

type Measure = Exclude<keyof UsageHistory['days'][number], 'day'>;

const measures: Record<Measure, { label: string; text: (value: number) => string; limit?: keyof PlanLimit }> = {
  numRows: { label: 'Records', text: countText, limit: 'maxRows' },
  attachmentSize: { label: 'Attachments', text: bytesText, limit: 'maxSizeAttachments' },
  numCollaborators: { label: 'People', text: countText },
  numDatabaseConnections: { label: 'Connections', text: countText, limit: 'maxNumDatabaseConnections' },
};

const spans = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: 'A year' },
] as const;

export const UsagePlot = ({ spaceId, limit }: { spaceId: string; limit: PlanLimit }) => {
  const [measure, setMeasure] = useState<Measure>('numRows');
  const [span, setSpan] = useState('30');
  const [hovered, setHovered] = useState<number | null>(null);
  const history = useQuery({
    queryKey: ['usage-history', spaceId, span],
    queryFn: ({ signal }) => call(getUsageHistory, { params: { spaceId }, query: { days: Number(span) }, signal }),
    placeholderData: keepPreviousData,
  });
  const { label, text, limit: limitKey } = measures[measure];
  const most = limitKey === undefined ? undefined : limitOf(Number(limit[limitKey]));
  const days = history.data?.days ?? [];
  const drawn = useMemo(
    () => ({ days: days.map(({ day }) => Date.parse(day) / 1_000), values: days.map((one) => one[measure]) }),
    [history.data, measure],
  );
  const shown = days[hovered ?? days.length - 1];

  return (
    <Section
      title="Usage over time"
      lead="Values at the end of each day (UTC), and today’s so far."
      actions={<Choice label="Time shown" value={span} options={spans} onValue={setSpan} />}
    >
      <Choice
        label="What is shown"
        value={measure}
        options={(Object.keys(measures) as Measure[]).map((value) => ({ value, label: measures[value].label }))}
        onValue={(next) => setMeasure(next as Measure)}
      />
      <ProblemNote error={history.error} />
      {history.isPending && <Loading />}
      {shown !== undefined && (
        <figure className="mt-4">
          <figcaption className="mb-2 flex flex-wrap items-baseline gap-x-2">
            <span className="text-xl font-semibold tabular-nums">{text(shown[measure])}</span>
            <span className="text-[13px] text-ink-soft">
              {label} {hovered === null || shown === days.at(-1) ? 'today' : `on ${utcDayText(shown.day)}`}
              {most !== undefined && `, of ${text(most)}`}
            </span>
          </figcaption>
          <Suspense fallback={<div className="h-55" />}>
            <Plot
              days={drawn.days}
              values={drawn.values}
              {...(most === undefined ? {} : { limit: most })}
              text={text}
              dayText={(seconds) => utcShortDayText(new Date(seconds * 1_000).toISOString())}
              onHover={setHovered}
            />
          </Suspense>
          {days.length === 1 && (
            <p className="mt-2 text-center text-[13px] text-ink-faint">
              This is the first day. A point is added every night.
            </p>
          )}
          <table className="sr-only">
            <caption>{`${label} by day`}</caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">{label}</th>
              </tr>
            </thead>
            <tbody>
              {days.map((one) => (
                <tr key={one.day}>
                  <th scope="row">{utcDayText(one.day)}</th>
                  <td>{text(one[measure])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </figure>
      )}
    </Section>
  );
};
