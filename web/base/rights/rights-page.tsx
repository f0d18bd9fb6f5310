// Who sees and changes which rows and fields of a base: roles across, tables down.
import {
  deleteAuthorityRole,
  duplicateAuthorityRole,
  renameAuthorityRole,
  setAuthorityMatrixAdmins,
  setAuthorityMatrixStatus,
  setAuthorityRoleStatus,
  setDefaultAuthorityRole,
} from '@rowhouse/contract/authority-matrix.ts';
import { listBaseCollaborators } from '@rowhouse/contract/collaborator.ts';
import { allows } from '@rowhouse/contract/permission.ts';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { CopyPlus, Ellipsis, Eye, Pencil, Plus, Power, Star, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { Page } from '../../frame/page.tsx';
import { baseQuery, tablesQuery } from '../../record-data/queries.ts';
import { peopleAndGroups } from '../../space/queries.ts';
import { beginViewing } from '../../app/viewing.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { MultiSelect } from '../../ui/multi-select.tsx';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Section } from '../../ui/section.tsx';
import { Findings } from './findings.tsx';
import { GrantDialog } from './grant-dialog.tsx';
import { NewRoleDialog } from './new-role-dialog.tsx';
import { type AuthorityRole, matrixQuery, reloadRights, rolesQuery } from './queries.ts';
import { RoleGrid } from './role-grid.tsx';
import { RoleMembersDialog } from './role-members-dialog.tsx';
import { SwitchOnDialog } from './switch-on-dialog.tsx';
import { ViewAsDialog } from './view-as-dialog.tsx';

type Asking =
  | { what: 'new' | 'on' | 'view' }
  | { what: 'rename' | 'delete' | 'members'; role: AuthorityRole }
  | { what: 'cell'; role: AuthorityRole; table: { id: string; name: string } };

const membersQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['base-people', baseId],
    queryFn: async ({ signal }) =>
      peopleAndGroups(await call(listBaseCollaborators, { params: { baseId }, query: { take: 1_000 }, signal })),
  });

export const RightsPage = () => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const base = useQuery(baseQuery(baseId)).data;
  const tables = useQuery(tablesQuery(baseId));
  const matrix = useQuery({ ...matrixQuery(baseId), retry: false });
  const roles = useQuery({ ...rolesQuery(baseId), retry: false });
  const members = useQuery(membersQuery(baseId));
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = (): void => setAsking(null);
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => reloadRights(baseId),
  });
  if (base === undefined || tables.data === undefined) return <Loading />;

  const params = { baseId };
  const isOn = matrix.data?.enabledTime !== undefined;
  const defaultRole = matrix.data?.defaultRole;
  const admins = matrix.data?.adminUsers ?? [];
  const candidates = new Map(
    [
      ...admins,
      ...(members.data?.people ?? [])
        .filter(({ role }) => allows(role, 'base|authority_matrix_config'))
        .map(({ userId, userName }) => ({ id: userId, name: userName })),
    ].map((person) => [person.id, person]),
  );
  const listed = roles.data ?? [];
  const at = (role: AuthorityRole) => ({ baseId, authorityMatrixRoleId: role.id });
  const error = matrix.error ?? roles.error;
  if (error !== null)
    return (
      <Page title={`Rights of ${base.name}`}>
        <ProblemNote error={error} />
      </Page>
    );

  return (
    <Page
      title={`Rights of ${base.name}`}
      lead="Roles decide which tables, records and fields people see and change. Anything that none of their roles allows is hidden from them."
      actions={
        matrix.data !== undefined && (
          <div className="flex flex-wrap gap-2">
            <Button icon={<Eye size={16} />} onClick={() => setAsking({ what: 'view' })}>
              View as…
            </Button>
            <Button
              look={isOn ? 'secondary' : 'primary'}
              icon={<Power size={16} />}
              busy={change.isPending}
              onClick={() =>
                isOn
                  ? change.mutate(() => call(setAuthorityMatrixStatus, { params, body: { enabled: false } }))
                  : setAsking({ what: 'on' })
              }
            >
              {isOn ? 'Switch off' : 'Switch on…'}
            </Button>
          </div>
        )
      }
    >
      <div className="flex flex-col gap-6">
        <ProblemNote error={change.error} />
        <p role="status" className="text-ink-soft">
          {isOn
            ? 'Rights are on. They apply to everyone except owners of the space and the administrators below.'
            : 'Rights are off. Everyone can do what their role in the base allows. Your settings here are kept.'}
        </p>
        <Section
          title="Roles"
          lead="Choose a cell to set what the role may do in that table."
          actions={
            <Button size="small" icon={<Plus size={16} />} onClick={() => setAsking({ what: 'new' })}>
              New role
            </Button>
          }
        >
          {roles.isPending && <Loading />}
          {roles.data?.length === 0 && (
            <p className="text-ink-soft">
              There are no roles yet. Start with one for people who need the least access.
            </p>
          )}
          {listed.length > 0 && (
            <RoleGrid
              tables={tables.data}
              roles={listed}
              defaultRole={defaultRole}
              onMembers={(role) => setAsking({ what: 'members', role })}
              onCell={(role, table) => setAsking({ what: 'cell', role, table })}
              menuOf={(role) => (
                <Menu
                  align="end"
                  trigger={
                    <IconButton label={`More for ${role.name}`}>
                      <Ellipsis size={17} />
                    </IconButton>
                  }
                >
                  <MenuItem icon={<Users size={16} />} onSelect={() => setAsking({ what: 'members', role })}>
                    People and groups
                  </MenuItem>
                  <MenuItem
                    icon={<Eye size={16} />}
                    onSelect={() => beginViewing({ baseId, as: role.id, name: role.name })}
                  >
                    View as this role
                  </MenuItem>
                  <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsking({ what: 'rename', role })}>
                    Rename
                  </MenuItem>
                  <MenuItem
                    icon={<CopyPlus size={16} />}
                    onSelect={() => change.mutate(() => call(duplicateAuthorityRole, { params: at(role), body: {} }))}
                  >
                    Duplicate
                  </MenuItem>
                  <MenuItem
                    icon={<Star size={16} />}
                    onSelect={() =>
                      change.mutate(() =>
                        call(setDefaultAuthorityRole, {
                          params,
                          body: { defaultRole: defaultRole === role.id ? null : role.id },
                        }),
                      )
                    }
                  >
                    {defaultRole === role.id ? 'No longer the default' : 'Default for members without a role'}
                  </MenuItem>
                  <MenuItem
                    icon={<Power size={16} />}
                    onSelect={() =>
                      change.mutate(() =>
                        call(setAuthorityRoleStatus, {
                          params: at(role),
                          body: { enabled: role.enabledTime === undefined },
                        }),
                      )
                    }
                  >
                    {role.enabledTime === undefined ? 'Switch on' : 'Switch off'}
                  </MenuItem>
                  <MenuSeparator />
                  <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setAsking({ what: 'delete', role })}>
                    Delete
                  </MenuItem>
                </Menu>
              )}
            />
          )}
        </Section>
        {listed.length > 0 && <Findings baseId={baseId} />}
        <Section
          title="Administrators"
          lead="They see everything and manage these rights, like owners of the space. They must be creators of the base."
        >
          <MultiSelect
            label="Administrators"
            placeholder="Only owners of the space"
            values={admins.map(({ id }) => id)}
            options={[...candidates.values()].map(({ id, name }) => ({ value: id, label: name }))}
            onValues={(userIds) => change.mutate(() => call(setAuthorityMatrixAdmins, { params, body: { userIds } }))}
          />
        </Section>
      </div>
      {asking?.what === 'new' && <NewRoleDialog baseId={baseId} tables={tables.data} onClose={close} />}
      {asking?.what === 'cell' && (
        <GrantDialog baseId={baseId} role={asking.role} table={asking.table} isOn={isOn} onClose={close} />
      )}
      {asking?.what === 'members' && <RoleMembersDialog base={base} role={asking.role} isOn={isOn} onClose={close} />}
      {asking?.what === 'on' && <SwitchOnDialog baseId={baseId} onClose={close} />}
      {asking?.what === 'view' && <ViewAsDialog baseId={baseId} roles={listed} onClose={close} />}
      {asking?.what === 'rename' && (
        <NameDialog
          title="Rename role"
          initial={asking.role.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(renameAuthorityRole, { params: at(asking.role), body: { name } });
            await reloadRights(baseId);
          }}
        />
      )}
      {asking?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${asking.role.name}?`}
          description="Its members keep their other roles, or get the default role."
          action="Delete role"
          onClose={close}
          onConfirm={async () => {
            await call(deleteAuthorityRole, { params: at(asking.role) });
            await reloadRights(baseId);
          }}
        />
      )}
    </Page>
  );
};
