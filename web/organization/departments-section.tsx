// Departments as a tree. What they may do is said in each space, by its owners.
import {
  createDepartment,
  deleteDepartment,
  type getDepartment,
  moveDepartment,
  renameDepartment,
} from '@rowhouse/contract/department.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, FolderTree, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { NameDialog } from '../ui/name-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Section } from '../ui/section.tsx';
import { DepartmentPeopleDialog } from './department-people-dialog.tsx';
import { MoveDepartmentDialog } from './move-department-dialog.tsx';
import { departmentsQuery, reload } from './queries.ts';

type Department = ResponseOf<typeof getDepartment>;

type Asking =
  | { what: 'new'; inside?: Department }
  | { what: 'people' | 'rename' | 'move' | 'delete'; department: Department };

const peopleIn = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

export const DepartmentsSection = ({ organizationId }: { organizationId: string }) => {
  const { data, error, isPending } = useQuery(departmentsQuery(organizationId));
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = (): void => setAsking(null);
  const path = (department: Department) => ({ params: { organizationId, departmentId: department.id } });

  return (
    <Section
      title="Departments"
      lead="Owners of the spaces of the organisation give them roles, as they do to people. Members of a department are members of the one around it."
      actions={
        <Button size="small" icon={<Plus size={16} />} onClick={() => setAsking({ what: 'new' })}>
          New department
        </Button>
      }
    >
      <ProblemNote error={error} />
      {isPending && <Loading />}
      {data?.length === 0 && <p className="text-ink-soft">There are no departments yet.</p>}
      <ul aria-label="Departments" className="divide-y divide-line">
        {data?.map((department) => (
          <li
            key={department.id}
            className="flex items-center gap-3 py-2"
            style={{ paddingInlineStart: `${(department.path.length - 1) * 20}px` }}
          >
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{department.name}</p>
              <p className="text-[13px] text-ink-soft">{peopleIn(department.memberCount)}</p>
            </div>
            <Button size="small" look="ghost" onClick={() => setAsking({ what: 'people', department })}>
              People
            </Button>
            <Menu
              align="end"
              trigger={
                <IconButton label={`More for ${department.name}`}>
                  <Ellipsis size={17} />
                </IconButton>
              }
            >
              <MenuItem icon={<Plus size={16} />} onSelect={() => setAsking({ what: 'new', inside: department })}>
                New department inside
              </MenuItem>
              <MenuItem icon={<Pencil size={16} />} onSelect={() => setAsking({ what: 'rename', department })}>
                Rename
              </MenuItem>
              <MenuItem icon={<FolderTree size={16} />} onSelect={() => setAsking({ what: 'move', department })}>
                Move
              </MenuItem>
              <MenuSeparator />
              <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setAsking({ what: 'delete', department })}>
                Delete
              </MenuItem>
            </Menu>
          </li>
        ))}
      </ul>
      {asking?.what === 'new' && (
        <NameDialog
          title={asking.inside === undefined ? 'New department' : `New department in ${asking.inside.name}`}
          action="Create"
          onClose={close}
          onSubmit={async (name) => {
            const parent = asking.inside === undefined ? {} : { parentId: asking.inside.id };
            await call(createDepartment, { params: { organizationId }, body: { name, ...parent } });
            await reload();
          }}
        />
      )}
      {asking?.what === 'rename' && (
        <NameDialog
          title="Rename department"
          initial={asking.department.name}
          action="Rename"
          onClose={close}
          onSubmit={async (name) => {
            await call(renameDepartment, { ...path(asking.department), body: { name } });
            await reload();
          }}
        />
      )}
      {asking?.what === 'move' && (
        <MoveDepartmentDialog
          department={asking.department}
          departments={data ?? []}
          onClose={close}
          onMove={async (parentId) => {
            await call(moveDepartment, { ...path(asking.department), body: { parentId } });
            await reload();
          }}
        />
      )}
      {asking?.what === 'people' && (
        <DepartmentPeopleDialog organizationId={organizationId} department={asking.department} onClose={close} />
      )}
      {asking?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${asking.department.name}?`}
          description="Its roles end immediately. People who had access only through it lose that access."
          action="Delete department"
          onClose={close}
          onConfirm={async () => {
            await call(deleteDepartment, path(asking.department));
            await reload();
          }}
        />
      )}
    </Section>
  );
};
