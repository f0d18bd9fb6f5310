// Which bases of a space fill it, and which nobody opens any more. Where the plan has it.
import { listBaseSizes } from '@rowhouse/contract/admin-space.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { fullTime, timeAgo } from '../ui/time.ts';
import { bytesText } from './plan-words.ts';

const shown = 20;

export const BaseSizes = ({ spaceId }: { spaceId: string }) => {
  const { data, error } = useQuery({
    queryKey: ['base-sizes', spaceId],
    queryFn: ({ signal }) =>
      call(listBaseSizes, { params: { spaceId }, query: { sort: 'size', pageSize: shown }, signal }),
  });
  return (
    <Section title="Bases by size" lead="On disk, with history. Last used: when somebody opened it in the app.">
      <ProblemNote error={error} />
      {data === undefined && error === null && <Loading />}
      {data?.total === 0 && <p className="text-ink-soft">There are no bases yet.</p>}
      <ul aria-label="Bases by size" className="divide-y divide-line empty:hidden">
        {data?.data.map((base) => (
          <li key={base.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2.5">
            <span className="min-w-0 flex-1 basis-40 truncate font-medium">{base.name}</span>
            <span
              className="text-[13px] text-ink-soft"
              title={base.lastUsedTime === null ? undefined : fullTime(base.lastUsedTime)}
            >
              {base.lastUsedTime === null ? 'not opened yet' : `used ${timeAgo(base.lastUsedTime)}`}
            </span>
            <span className="w-20 text-right">{bytesText(base.bytes)}</span>
          </li>
        ))}
      </ul>
      {data !== undefined && data.total > shown && (
        <p className="mt-3 text-[13px] text-ink-faint">
          The {shown} largest of {data.total.toLocaleString()}.
        </p>
      )}
    </Section>
  );
};
