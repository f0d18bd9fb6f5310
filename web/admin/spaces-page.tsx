import { type AdminBase, type AdminSpace, baseOrders, spaceOrders } from '@rowhouse/contract/admin-space.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { bytesText } from '../space/plan-words.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Mark } from '../ui/mark.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { fullTime, timeAgo } from '../ui/time.ts';
import { AdminFrame } from './admin-frame.tsx';
import { cardClass, cellClass, headClass, ListState } from './list-state.tsx';
import { Pager } from './pager.tsx';
import { basesQuery, spacesQuery } from './queries.ts';
import { SearchBox } from './search-box.tsx';
import { SpaceActs } from './space-acts.tsx';

const pageSize = 20;

const countOf = (count: number, one: string, many: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

const Used = ({ time }: { time: string | null }) => (
  <td
    className={`${cellClass} hidden whitespace-nowrap text-ink-soft md:table-cell`}
    title={time === null ? undefined : fullTime(time)}
  >
    {time === null ? '–' : timeAgo(time)}
  </td>
);

const ownersOf = ({ owners }: AdminSpace): string =>
  owners.length === 0 ? 'No active owner' : owners.map(({ name }) => name).join(', ');

const SpaceRow = ({ space }: { space: AdminSpace }) => (
  <tr className="border-t border-line hover:bg-[var(--hover)]">
    <td className={`${cellClass} w-full max-w-0`}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="max-w-full truncate font-medium">{space.name}</span>
        {space.owners.length === 0 && <Mark tone="warn">No owner</Mark>}
        {space.autoJoin && <Mark tone="good">New accounts join</Mark>}
        {space.deletedTime !== null && <Mark tone="bad">In the trash</Mark>}
      </div>
      <p className="truncate text-[13px] text-ink-soft" title={space.owners.map(({ email }) => email).join(', ')}>
        {ownersOf(space)} · {countOf(space.baseCount, 'base', 'bases')} ·{' '}
        {countOf(space.collaboratorCount, 'person', 'people')}
      </p>
    </td>
    <td className={`${cellClass} hidden text-right whitespace-nowrap text-ink-soft lg:table-cell`}>
      {space.records.toLocaleString()}
    </td>
    <td className={`${cellClass} hidden text-right whitespace-nowrap text-ink-soft sm:table-cell`}>
      {bytesText(space.bytes)}
    </td>
    <Used time={space.lastUsedTime} />
    <td className={`${cellClass} pl-0 text-right`}>
      <SpaceActs space={space} />
    </td>
  </tr>
);

const BaseRow = ({ base }: { base: AdminBase }) => (
  <tr className="border-t border-line hover:bg-[var(--hover)]">
    <td className={`${cellClass} w-full max-w-0`}>
      <p className="truncate font-medium">{base.name}</p>
      <p className="truncate text-[13px] text-ink-soft">
        {base.spaceName} · {countOf(base.tableCount, 'table', 'tables')}
      </p>
    </td>
    <td className={`${cellClass} text-right whitespace-nowrap text-ink-soft`}>{bytesText(base.bytes)}</td>
    <Used time={base.lastUsedTime} />
  </tr>
);

const Head = ({ children, className = '' }: { children: string; className?: string }) => (
  <th scope="col" className={`${headClass} ${className}`}>
    {children}
  </th>
);

const Spaces = ({ search, sort, page, onPage }: ListProps<(typeof spaceOrders)[number]>) => {
  const { data, error, isPending, refetch } = useQuery(
    spacesQuery({ page, pageSize, sort, ...(search === '' ? {} : { search }) }),
  );
  return (
    <ListState
      error={error}
      isLoading={isPending}
      onRetry={() => void refetch()}
      empty={data?.total === 0 ? <Nothing what="space" search={search} /> : undefined}
    >
      <div className={cardClass}>
        <table className="w-full">
          <caption className="sr-only">Spaces</caption>
          <thead>
            <tr>
              <Head>Space</Head>
              <Head className="hidden text-right lg:table-cell">Records</Head>
              <Head className="hidden text-right sm:table-cell">Size</Head>
              <Head className="hidden md:table-cell">Last used</Head>
              <th scope="col" className={headClass}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data?.data.map((space) => (
              <SpaceRow key={space.id} space={space} />
            ))}
          </tbody>
        </table>
      </div>
      {data !== undefined && <Pager {...data} of="spaces" onPage={onPage} />}
    </ListState>
  );
};

const Bases = ({ search, sort, page, onPage }: ListProps<(typeof baseOrders)[number]>) => {
  const { data, error, isPending, refetch } = useQuery(
    basesQuery({ page, pageSize, sort, ...(search === '' ? {} : { search }) }),
  );
  return (
    <ListState
      error={error}
      isLoading={isPending}
      onRetry={() => void refetch()}
      empty={data?.total === 0 ? <Nothing what="base" search={search} /> : undefined}
    >
      <div className={cardClass}>
        <table className="w-full">
          <caption className="sr-only">Bases</caption>
          <thead>
            <tr>
              <Head>Base</Head>
              <Head className="text-right">Size</Head>
              <Head className="hidden md:table-cell">Last used</Head>
            </tr>
          </thead>
          <tbody>
            {data?.data.map((base) => (
              <BaseRow key={base.id} base={base} />
            ))}
          </tbody>
        </table>
      </div>
      {data !== undefined && <Pager {...data} of="bases" onPage={onPage} />}
    </ListState>
  );
};

interface ListProps<Sort> {
  search: string;
  sort: Sort;
  page: number;
  onPage: (page: number) => void;
}

const Nothing = ({ what, search }: { what: 'space' | 'base'; search: string }) => (
  <EmptyState icon={<Boxes size={20} />} title={`No ${what} found`}>
    {search === '' ? `There is no ${what} yet.` : `Nothing has “${search}” in its name.`}
  </EmptyState>
);

const orderWords = { created: 'Newest first', used: 'Last used first', size: 'Largest first', name: 'By name' };

const tabClass =
  'rounded-lg px-3 py-1.5 font-medium text-ink-soft hover:bg-sunken hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent';

export const SpacesPage = () => {
  const { search = '', sort, page = 1, of } = useSearch({ from: '/signed-in/admin/spaces' });
  const navigate = useNavigate({ from: '/admin/spaces' });
  const show = (next: {
    search?: string | undefined;
    sort?: string | undefined;
    page?: number;
    of?: typeof of;
  }): void => void navigate({ search: { search: search || undefined, sort, of, ...next }, replace: true });
  const orders: readonly string[] = of === undefined ? spaceOrders : baseOrders;
  const chosen = sort !== undefined && orders.includes(sort) ? sort : orders[0];
  const list = { search, page, onPage: (next: number) => show({ page: next }) };
  return (
    <AdminFrame
      title="Spaces and bases"
      lead="Whose they are, how large, and when they were last opened. What is in them is for their people alone."
    >
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <div role="group" aria-label="What is listed" className="flex gap-1">
          {([undefined, 'bases'] as const).map((one) => (
            <button
              key={one ?? 'spaces'}
              type="button"
              aria-pressed={of === one}
              className={tabClass}
              onClick={() => show({ of: one, sort: undefined, page: 1 })}
            >
              {one === undefined ? 'Spaces' : 'Bases'}
            </button>
          ))}
        </div>
        <SearchBox
          label={of === undefined ? 'Search by name or owner' : 'Search by name'}
          value={search}
          onValue={(text) => show({ search: text || undefined, page: 1 })}
        />
        <SelectField
          label="Order"
          hideLabel
          className="w-full sm:w-48"
          value={chosen ?? ''}
          options={orders.map((value) => ({ value, label: orderWords[value as keyof typeof orderWords] }))}
          onValue={(value) => show({ sort: value, page: 1 })}
        />
      </div>
      {of === undefined ? (
        <Spaces {...list} sort={chosen as (typeof spaceOrders)[number]} />
      ) : (
        <Bases {...list} sort={chosen as (typeof baseOrders)[number]} />
      )}
    </AdminFrame>
  );
};
