// The groups of a space: who is in them, and what role each has on the space.
import {
  addSpaceCollaborators,
  removeSpaceCollaborator,
  updateSpaceCollaborator,
} from '@rowhouse/contract/collaborator.ts';
import { createGroup, deepestGroup, deleteGroup, updateGroup } from '@rowhouse/contract/group.ts';
import { allows, type Role } from '@rowhouse/contract/permission.ts';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Pencil, Plus, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { queryClient } from '../app/query-client.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { GroupMembersDialog } from './group-members-dialog.tsx';
import { GroupRoles, type ListedGroup } from './group-roles.tsx';
import { groupsQuery, membersQuery } from './queries.ts';
import { rolesUpTo } from './role-words.ts';

type Asking = { what: 'new'; inside?: ListedGroup } | { what: 'people' | 'rename' | 'delete'; group: ListedGroup };

const refresh = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ['groups', 'members', 'people', 'base-people'].includes(String(queryKey[0])),
  });

export const GroupsSection = ({ spaceId, role }: { spaceId: string; role: Role }) => {
  const params = { spaceId };
  const groups = useQuery(groupsQuery(spaceId));
  const given = useQuery(membersQuery(spaceId)).data?.groups ?? [];
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = (): void => setAsking(null);
  const mayChange = allows(role, 'space|grant_role');
  const listed = (groups.data ?? []).map((group): ListedGroup => {
    const own = given.find(({ departmentId }) => departmentId === group.id)?.role;
    return {
      id: group.id,
      name: group.name,
      path: group.pathName.slice(0, -1),
      memberCount: group.memberCount,
      isDepartment: group.organizationId !== undefined,
      ...(own === undefined ? {} : { role: own }),
    };
  });
  if (listed.length === 0 && !mayChange && groups.error === null) return null;

  const setRole = async ({ id, role: present }: ListedGroup, next: Role | undefined): Promise<void> => {
    const whom = { principalId: id, principalType: 'department' as const };
    try {
      if (next === undefined) await call(removeSpaceCollaborator, { params, query: whom });
      else if (present === undefined)
        await call(addSpaceCollaborators, { params, body: { collaborators: [whom], role: next } });
      else await call(updateSpaceCollaborator, { params, body: { ...whom, role: next } });
    } finally {
      await refresh();
    }
  };

  return (
    <Section
      title="Groups"
      lead="Members of a group get its role, in this space and in bases where the group has one."
      actions={
        mayChange && (
          <Button size="small" icon={<Plus size={16} />} onClick={() => setAsking({ what: 'new' })}>
            New group
          </Button>
        )
      }
    >
      <ProblemNote error={groups.error} />
      {listed.length === 0 && groups.data !== undefined && <p className="text-ink-soft">There are no groups yet.</p>}
      <GroupRoles
        groups={listed}
        roles={rolesUpTo(role)}
        mayChange={() => mayChange}
        onRole={setRole}
        actionsOf={(group) => (
          <>
            <Button size="small" look="ghost" onClick={() => setAsking({ what: 'people', group })}>
              People
            </Button>
            {mayChange && group.isDepartment !== true && (
              <Menu
                align="end"
                trigger={
                  <IconButton label={`More for ${group.name}`}>
                    <Ellipsis size={17} />
                  </IconButton>
                }
              >
                <MenuItem icon={<Users size={16} />} onSelect={() => setAsking({ what: 'people', group })}>
                  People
                </MenuItem>
                <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsking({ what: 'rename', group })}>
                  Rename
                </MenuItem>
                {group.path.length + 1 < deepestGroup && (
                  <MenuItem
                    icon={<Plus size={16} />}
                    onSelect={() => setAsking({ what: 'new', inside: group })}
                  >{`New group in ${group.name}`}</MenuItem>
                )}
                <MenuSeparator />
                <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setAsking({ what: 'delete', group })}>
                  Delete
                </MenuItem>
              </Menu>
            )}
          </>
        )}
      />
      {asking?.what === 'people' && (
        <GroupMembersDialog
          spaceId={spaceId}
          group={asking.group}
          mayChange={mayChange && asking.group.isDepartment !== true}
          onChanged={refresh}
          onClose={close}
        />
      )}
      {asking?.what === 'new' && (
        <NameDialog
          title={asking.inside === undefined ? 'New group' : `New group in ${asking.inside.name}`}
          action="Create"
          onClose={close}
          onSubmit={async (name) => {
            const parent = asking.inside === undefined ? {} : { parentId: asking.inside.id };
            await call(createGroup, { params, body: { name, ...parent } });
            await refresh();
          }}
        />
      )}
      {asking?.what === 'rename' && (
        <NameDialog
          title="Rename group"
          initial={asking.group.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(updateGroup, { params: { spaceId, groupId: asking.group.id }, body: { name } });
            await refresh();
          }}
        />
      )}
      {asking?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${asking.group.name}?`}
          description="Its roles end immediately. People who had access only through it lose that access."
          action="Delete group"
          onClose={close}
          onConfirm={async () => {
            await call(deleteGroup, { params: { spaceId, groupId: asking.group.id } });
            await refresh();
          }}
        />
      )}
    </Section>
  );
};
