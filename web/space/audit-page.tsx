// What happened in a space, for its owners: filtered, page by page, and as a file.
import { type AuditAction, auditActions, type AuditEntry, listAuditLog } from '@rowhouse/contract/audit.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { membersQuery } from './queries.ts';
import { SpaceFrame } from './space-frame.tsx';

interface Filters {
  action: AuditAction | '';
  userId: string;
  from: string;
  until: string;
}

/** Whole days of the browser's time zone; `until` is the last one. */
const queryOf = ({ action, userId, from, until }: Filters): Record<string, string> => {
  const day = (text: string, more: number): string => {
    const time = new Date(`${text}T00:00`);
    time.setDate(time.getDate() + more);
    return time.toISOString();
  };
  return {
    ...(action === '' ? {} : { action }),
    ...(userId === '' ? {} : { userId }),
    ...(from === '' ? {} : { from: day(from, 0) }),
    ...(until === '' ? {} : { until: day(until, 1) }),
  };
};

const viaWords: Record<AuditEntry['via'], string> = {
  session: 'the app',
  token: 'an access token',
  application: 'an application',
  operator: 'the command line',
  server: 'the server',
};

const throughOf = ({ via, credentialName }: AuditEntry): string =>
  credentialName === null ? viaWords[via] : `${viaWords[via]} (${credentialName})`;

const detailsOf = (target: AuditEntry['target']): string =>
  Object.entries(target)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(' · ');

const Entry = ({ entry }: { entry: AuditEntry }) => (
  <li className="py-3">
    <p className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="font-medium">{auditActions[entry.action]}</span>
      <time dateTime={entry.time} className="text-[13px] text-ink-soft">
        {new Date(entry.time).toLocaleString()}
      </time>
    </p>
    <p className="text-ink-soft">
      {entry.actor === null ? 'The operator' : entry.actor.name}
      {entry.actor?.email !== undefined && ` (${entry.actor.email})`}, through {throughOf(entry)}
      {entry.ip !== null && `, from ${entry.ip}`}
    </p>
    {Object.keys(entry.target).length > 0 && (
      <p className="text-[13px] break-words text-ink-faint">{detailsOf(entry.target)}</p>
    )}
  </li>
);

const AuditLog = ({ spaceId }: { spaceId: string }) => {
  const [filters, setFilters] = useState<Filters>({ action: '', userId: '', from: '', until: '' });
  const set = (part: Partial<Filters>): void => setFilters((before) => ({ ...before, ...part }));
  const query = queryOf(filters);
  const members = useQuery(membersQuery(spaceId));
  const log = useInfiniteQuery({
    queryKey: ['spaces', spaceId, 'audit', query],
    queryFn: ({ pageParam, signal }) =>
      call(listAuditLog, {
        params: { spaceId },
        query: { ...query, ...(pageParam === '' ? {} : { cursor: pageParam }) } as never,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries);
  const file = `/api/space/${spaceId}/audit-log/export?${new URLSearchParams({ ...query, format: 'csv' }).toString()}`;
  return (
    <Section
      title="Audit log"
      lead="Who signed in, was invited, got another role, made a token, moved, exported or deleted something. Kept for a year."
      actions={
        <a
          href={file}
          download={`audit-log-${spaceId}.csv`}
          className="inline-flex h-9 items-center gap-2 rounded-lg border border-line-strong bg-surface px-3 font-medium shadow-card hover:bg-sunken"
        >
          <Download size={16} aria-hidden /> Export CSV
        </a>
      }
    >
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <SelectField
          label="What"
          className="w-full sm:w-72"
          value={filters.action}
          options={[
            { value: '', label: 'Everything' },
            ...Object.entries(auditActions).map(([value, label]) => ({ value, label })),
          ]}
          onValue={(action) => set({ action: action as AuditAction | '' })}
        />
        <SelectField
          label="Who"
          className="w-full sm:w-56"
          value={filters.userId}
          options={[
            { value: '', label: 'Everybody' },
            ...(members.data?.people ?? []).map(({ userId, userName }) => ({ value: userId, label: userName })),
          ]}
          onValue={(userId) => set({ userId })}
        />
        <TextField
          label="From"
          type="date"
          value={filters.from}
          onChange={(event) => set({ from: event.target.value })}
        />
        <TextField
          label="Until"
          type="date"
          value={filters.until}
          onChange={(event) => set({ until: event.target.value })}
        />
      </div>
      <ProblemNote error={log.error} />
      {entries === undefined && log.error === null && <Loading />}
      {entries?.length === 0 && <p className="text-ink-soft">No matching entries.</p>}
      <ul aria-label="Audit log" className="divide-y divide-line empty:hidden">
        {entries?.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {log.hasNextPage && (
        <Button className="mt-4" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Section>
  );
};

export const AuditPage = () => {
  const { spaceId } = useParams({ from: '/signed-in/space/$spaceId/audit' });
  return <SpaceFrame spaceId={spaceId}>{() => <AuditLog spaceId={spaceId} />}</SpaceFrame>;
};
