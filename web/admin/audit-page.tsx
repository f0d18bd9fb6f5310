// What happened in the whole instance: filtered, page by page, and as a file.
import { type InstanceAuditEntry, listInstanceAudit } from '@rowhouse/contract/admin-audit.ts';
import { type AuditAction, auditActions } from '@rowhouse/contract/audit.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { fullTime } from '../ui/time.ts';
import { AdminFrame } from './admin-frame.tsx';
import { cardClass, ListState } from './list-state.tsx';
import { personQuery } from './queries.ts';
import { SearchBox } from './search-box.tsx';

interface Filters {
  action: AuditAction | '';
  resourceId: string;
  userId: string | undefined;
  from: string;
  until: string;
}

/** Whole days of the browser's time zone; `until` is the last one. */
const queryOf = ({ action, resourceId, userId, from, until }: Filters): Record<string, string> => {
  const day = (text: string, more: number): string => {
    const time = new Date(`${text}T00:00`);
    time.setDate(time.getDate() + more);
    return time.toISOString();
  };
  return {
    ...(action === '' ? {} : { action }),
    ...(resourceId.trim() === '' ? {} : { resourceId: resourceId.trim() }),
    ...(userId === undefined ? {} : { userId }),
    ...(from === '' ? {} : { startTime: day(from, 0) }),
    ...(until === '' ? {} : { endTime: day(until, 1) }),
  };
};

const viaWords: Record<InstanceAuditEntry['origin']['via'], string> = {
  session: 'the app',
  token: 'an access token',
  application: 'an application',
  operator: 'the command line',
  server: 'the server',
};

const whoOf = ({ userId, userName, origin }: InstanceAuditEntry): string =>
  userId === null ? (origin.via === 'server' ? 'The server' : 'The operator') : (userName ?? userId);

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

const detailsOf = (payload: InstanceAuditEntry['payload']): string =>
  Object.entries(payload)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.map(shown).join(', ') : shown(value)}`)
    .join(' · ');

const Entry = ({ entry }: { entry: InstanceAuditEntry }) => (
  <li className="px-4 py-3">
    <p className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="min-w-0 font-medium break-words">{auditActions[entry.action]}</span>
      <time dateTime={entry.createdTime} className="text-[13px] whitespace-nowrap text-ink-soft">
        {fullTime(entry.createdTime)}
      </time>
    </p>
    <p className="break-words text-ink-soft">
      {whoOf(entry)}, through {viaWords[entry.origin.via]}
      {entry.origin.ip !== '' && `, from ${entry.origin.ip}`}
    </p>
    {Object.keys(entry.payload).length > 0 && (
      <p className="text-[13px] break-words text-ink-faint">{detailsOf(entry.payload)}</p>
    )}
  </li>
);

const take = 50;

const fileClass =
  'inline-flex h-9 items-center gap-2 rounded-lg border border-line-strong bg-surface px-3 font-medium shadow-card hover:bg-sunken';

export const AuditPage = () => {
  const { user: userId, about: resourceId = '' } = useSearch({ from: '/signed-in/admin/audit' });
  const navigate = useNavigate({ from: '/admin/audit' });
  const [filters, setFilters] = useState<Pick<Filters, 'action' | 'from' | 'until'>>({
    action: '',
    from: '',
    until: '',
  });
  const set = (part: Partial<typeof filters>): void => setFilters((before) => ({ ...before, ...part }));
  const query = queryOf({ ...filters, resourceId, userId });
  const person = useQuery({ ...personQuery(userId ?? ''), enabled: userId !== undefined }).data;
  const log = useInfiniteQuery({
    queryKey: ['admin', 'audit', query],
    queryFn: ({ pageParam, signal }) =>
      call(listInstanceAudit, {
        query: { ...query, take, ...(pageParam === '' ? {} : { before: pageParam }) } as never,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ items }) => (items.length < take ? undefined : items.at(-1)?.id),
  });
  const entries = log.data?.pages.flatMap(({ items }) => items);
  const file = (format: 'csv' | 'jsonl'): string =>
    `/api/admin/audit-logs/export?${new URLSearchParams({ ...query, format }).toString()}`;
  return (
    <AdminFrame
      title="Audit log"
      lead="Who did what to accounts, spaces, tokens and settings. Never what is in records."
      actions={
        <div className="flex flex-wrap gap-2">
          <a href={file('csv')} download="audit-log.csv" className={fileClass}>
            <Download size={16} aria-hidden /> CSV
          </a>
          <a href={file('jsonl')} download="audit-log.jsonl" className={fileClass}>
            <Download size={16} aria-hidden /> JSON lines
          </a>
        </div>
      }
    >
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <SearchBox
          label="Id of a person, space, base…"
          value={resourceId}
          onValue={(text) => void navigate({ search: { user: userId, about: text || undefined }, replace: true })}
        />
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
      {userId !== undefined && (
        <p className="mb-4 flex flex-wrap items-center gap-2 text-ink-soft">
          Only what {person?.name ?? userId} did.
          <Button
            size="small"
            onClick={() => void navigate({ search: { about: resourceId || undefined }, replace: true })}
          >
            Show everybody
          </Button>
        </p>
      )}
      <ListState
        error={log.error}
        isLoading={log.isPending}
        onRetry={() => void log.refetch()}
        empty={
          entries?.length === 0 ? (
            <EmptyState icon={<ScrollText size={20} />} title="No matching entries">
              Choose another time, or fewer conditions.
            </EmptyState>
          ) : undefined
        }
      >
        <ul aria-label="Audit log" className={`${cardClass} divide-y divide-line`}>
          {entries?.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
        {log.hasNextPage && (
          <Button className="mt-4" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Show more
          </Button>
        )}
      </ListState>
    </AdminFrame>
  );
};
