// Who is in the organisation, with what can be done about each.
import {
  activateOrganizationUser,
  addOrganizationUsers,
  deactivateOrganizationUser,
  type listOrganizationUsers,
  removeOrganizationUsers,
  updateOrganizationUser,
} from '@rowhouse/contract/organization.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { useQuery } from '@tanstack/react-query';
import { Ban, Ellipsis, LogOut, Plus, ShieldCheck, ShieldOff, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { useMe } from '../app/me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showProblem, showToast } from '../ui/toast.ts';
import { membersQuery, reload } from './queries.ts';

type Member = ResponseOf<typeof listOrganizationUsers>['users'][number];

const stateOf = ({ isAdmin, isExternal, deactivatedTime }: Member): string =>
  [
    deactivatedTime === undefined ? undefined : 'Shut out',
    isAdmin ? 'Administrator' : undefined,
    isExternal ? 'Another domain' : undefined,
  ]
    .filter((word) => word !== undefined)
    .join(', ');

type Asking = { what: 'add' } | { what: 'shut' | 'remove'; member: Member };

export const MembersSection = ({ organizationId }: { organizationId: string }) => {
  const me = useMe();
  const [search, setSearch] = useState('');
  const [asking, setAsking] = useState<Asking | null>(null);
  const { data, error, isPending } = useQuery(membersQuery(organizationId, search.trim()));
  const close = (): void => setAsking(null);

  const act = async (change: () => Promise<unknown>): Promise<void> => {
    try {
      await change();
    } catch (problem) {
      showProblem(problem);
    }
    await reload();
  };
  const path = (member: Member) => ({ params: { organizationId, userId: member.id } });

  return (
    <Section
      title="Members"
      lead="People who sign in through a provider of the organisation join by themselves."
      actions={
        <Button size="small" icon={<Plus size={16} />} onClick={() => setAsking({ what: 'add' })}>
          Add somebody
        </Button>
      }
    >
      <TextField
        label="Search members"
        type="search"
        className="mb-3 max-w-sm"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data?.users.length === 0 && <p className="text-ink-soft">Nobody was found.</p>}
      {data !== undefined && data.users.length > 0 && (
        <ul aria-label="Members" className="divide-y divide-line">
          {data.users.map((member) => (
            <li key={member.id} className="flex items-center gap-3 py-2.5">
              <Avatar name={member.name} seed={member.id} picture={member.avatar ?? null} />
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{member.name}</p>
                <p className="truncate text-[13px] text-ink-soft">{member.email}</p>
                {stateOf(member) !== '' && <p className="text-[13px] text-ink-faint">{stateOf(member)}</p>}
              </div>
              <Menu
                align="end"
                trigger={
                  <IconButton label={`More for ${member.name}`}>
                    <Ellipsis size={17} />
                  </IconButton>
                }
              >
                <MenuItem
                  icon={member.isAdmin ? <ShieldOff size={16} /> : <ShieldCheck size={16} />}
                  onSelect={() =>
                    void act(() =>
                      call(updateOrganizationUser, { ...path(member), body: { isAdmin: !member.isAdmin } }),
                    )
                  }
                >
                  {member.isAdmin ? 'No longer administrator' : 'Make administrator'}
                </MenuItem>
                {!member.isExternal && member.id !== me.id && member.deactivatedTime === undefined && (
                  <MenuItem icon={<Ban size={16} />} onSelect={() => setAsking({ what: 'shut', member })}>
                    Shut out
                  </MenuItem>
                )}
                {member.deactivatedTime !== undefined && (
                  <MenuItem
                    icon={<Undo2 size={16} />}
                    onSelect={() => void act(() => call(activateOrganizationUser, path(member)))}
                  >
                    Let in again
                  </MenuItem>
                )}
                <MenuSeparator />
                <MenuItem danger icon={<LogOut size={16} />} onSelect={() => setAsking({ what: 'remove', member })}>
                  Remove from the organisation
                </MenuItem>
              </Menu>
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && data.total > data.users.length && (
        <p className="mt-3 text-[13px] text-ink-faint">
          {data.users.length} of {data.total} members are shown. Search for others.
        </p>
      )}
      {asking?.what === 'add' && (
        <NameDialog
          title="Add somebody"
          label="E-mail address"
          action="Add"
          onClose={close}
          onSubmit={async (email) => {
            const [answer] = await call(addOrganizationUsers, {
              params: { organizationId },
              body: { emails: [email] },
            });
            if (answer?.success !== true)
              throw invalid({ path: 'email', message: answer?.message ?? 'Nobody was added' });
            await reload();
            showToast({ kind: 'note', title: `${email} is a member now.` });
          }}
        />
      )}
      {asking?.what === 'shut' && (
        <ConfirmDialog
          title={`Shut ${asking.member.name} out?`}
          description="Sessions, access tokens and everything that is open end immediately and do not come back. What they have made stays."
          action="Shut out"
          onClose={close}
          onConfirm={async () => {
            await call(deactivateOrganizationUser, path(asking.member));
            await reload();
          }}
        />
      )}
      {asking?.what === 'remove' && (
        <ConfirmDialog
          title={`Remove ${asking.member.name}?`}
          description="They leave all departments, with what these may do. Their account, and roles that they have by themselves, stay."
          action="Remove"
          onClose={close}
          onConfirm={async () => {
            await call(removeOrganizationUsers, { params: { organizationId }, body: { userIds: [asking.member.id] } });
            await reload();
          }}
        />
      )}
    </Section>
  );
};
