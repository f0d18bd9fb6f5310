import { type AdminUser, userStates } from '@rowhouse/contract/admin-user.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { fullTime, timeAgo } from '../ui/time.ts';
import { AdminFrame } from './admin-frame.tsx';
import { cardClass, cellClass, headClass, ListState } from './list-state.tsx';
import { NewPersonDialog } from './new-person-dialog.tsx';
import { Pager } from './pager.tsx';
import { PersonActs } from './person-acts.tsx';
import { PersonMarks } from './person-marks.tsx';
import { peopleQuery } from './queries.ts';
import { SearchBox } from './search-box.tsx';

const stateWords: Record<(typeof userStates)[number], string> = {
  active: 'Active',
  deactivated: 'Deactivated',
  deleted: 'Deleted',
  admin: 'Administrators',
  neverSignedIn: 'Never signed in',
};

const Row = ({ person }: { person: AdminUser }) => (
  <tr className="border-t border-line hover:bg-[var(--hover)]">
    <td className={`${cellClass} w-full max-w-0`}>
      <div className="flex items-center gap-3">
        <Avatar name={person.name} seed={person.id} picture={person.avatar} />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Link
              to="/admin/people/$userId"
              params={{ userId: person.id }}
              className="max-w-full truncate font-medium text-ink hover:text-accent hover:underline"
            >
              {person.name}
            </Link>
            <PersonMarks person={person} />
          </div>
          <p className="truncate text-[13px] text-ink-soft">{person.email}</p>
        </div>
      </div>
    </td>
    <td
      className={`${cellClass} hidden whitespace-nowrap text-ink-soft md:table-cell`}
      title={person.lastSignTime === null ? undefined : fullTime(person.lastSignTime)}
    >
      {person.lastSignTime === null ? '–' : timeAgo(person.lastSignTime)}
    </td>
    <td
      className={`${cellClass} hidden whitespace-nowrap text-ink-soft lg:table-cell`}
      title={fullTime(person.createdTime)}
    >
      {timeAgo(person.createdTime)}
    </td>
    <td className={`${cellClass} hidden whitespace-nowrap text-ink-soft xl:table-cell`}>
      {person.hasSecondFactor ? 'On' : '–'}
    </td>
    <td className={`${cellClass} pl-0 text-right`}>
      <PersonActs person={person} />
    </td>
  </tr>
);

const pageSize = 20;

export const PeoplePage = () => {
  const { search = '', state: asked, page = 1 } = useSearch({ from: '/signed-in/admin/people' });
  const state = userStates.find((one) => one === asked);
  const navigate = useNavigate({ from: '/admin/people' });
  const [isMaking, setMaking] = useState(false);
  const { data, error, isPending, refetch } = useQuery(
    peopleQuery({ page, pageSize, ...(search === '' ? {} : { search }), ...(state === undefined ? {} : { state }) }),
  );
  const show = (next: { search?: string | undefined; state?: typeof state; page?: number }): void =>
    void navigate({ search: { search: search || undefined, state, ...next }, replace: true });
  return (
    <AdminFrame
      title="People"
      lead="Everybody with an account on this server."
      actions={
        <Button look="primary" icon={<UserPlus size={16} />} onClick={() => setMaking(true)}>
          New account
        </Button>
      }
    >
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <SearchBox
          label="Search by name or e-mail"
          value={search}
          onValue={(text) => show({ search: text || undefined })}
        />
        <SelectField
          label="Which"
          hideLabel
          className="w-full sm:w-52"
          value={state ?? ''}
          options={[
            { value: '', label: 'Everybody' },
            ...userStates.map((value) => ({ value, label: stateWords[value] })),
          ]}
          onValue={(value) => show({ state: userStates.find((one) => one === value) })}
        />
      </div>
      <ListState
        error={error}
        isLoading={isPending}
        onRetry={() => void refetch()}
        empty={
          data?.total === 0 ? (
            <EmptyState icon={<UsersRound size={20} />} title="Nobody found">
              {search === '' ? 'There is nobody of this kind.' : `Nobody’s name or address has “${search}” in it.`}
            </EmptyState>
          ) : undefined
        }
      >
        <div className={cardClass}>
          <table className="w-full">
            <caption className="sr-only">People</caption>
            <thead>
              <tr>
                <th scope="col" className={headClass}>
                  Person
                </th>
                <th scope="col" className={`${headClass} hidden md:table-cell`}>
                  Last sign-in
                </th>
                <th scope="col" className={`${headClass} hidden lg:table-cell`}>
                  Created
                </th>
                <th scope="col" className={`${headClass} hidden xl:table-cell`}>
                  Second factor
                </th>
                <th scope="col" className={headClass}>
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data?.data.map((person) => (
                <Row key={person.id} person={person} />
              ))}
            </tbody>
          </table>
        </div>
        {data !== undefined && <Pager {...data} of="people" onPage={(next) => show({ page: next })} />}
      </ListState>
      {isMaking && <NewPersonDialog onClose={() => setMaking(false)} />}
    </AdminFrame>
  );
};
