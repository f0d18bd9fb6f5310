// Groups of a space and the role each has, on the space or on a base.
import type { Role } from '@rowhouse/contract/permission.ts';
import { useMutation } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { roleNames } from './role-words.ts';

export interface ListedGroup {
  id: string;
  name: string;
  /** Of the groups around it. */
  path: readonly string[];
  /** Absent where only its role is known. */
  memberCount?: number;
  /** Absent: it has none here. */
  role?: Role;
  /** Of the organisation that owns the space, and changed there. */
  isDepartment?: boolean;
  /** Where else it has a role that counts here. */
  elsewhere?: string;
}

interface GroupRolesProps {
  groups: readonly ListedGroup[];
  roles: readonly Role[];
  mayChange: (group: ListedGroup) => boolean;
  /** `next` is undefined to take the role away. */
  onRole: (group: ListedGroup, next: Role | undefined) => Promise<unknown>;
  actionsOf?: (group: ListedGroup) => ReactNode;
}

const none = { value: 'none', label: 'No role here' };

const countOf = ({ memberCount }: ListedGroup): string | undefined =>
  memberCount === undefined ? undefined : memberCount === 1 ? '1 person' : `${memberCount.toLocaleString('en')} people`;

export const GroupRoles = ({ groups, roles, mayChange, onRole, actionsOf }: GroupRolesProps) => {
  const change = useMutation({
    mutationFn: ({ group, next }: { group: ListedGroup; next: Role | undefined }) => onRole(group, next),
  });
  return (
    <>
      <ProblemNote error={change.error} />
      <ul className="divide-y divide-line">
        {groups.map((group) => {
          const offered = [...new Set([...roles, ...(group.role === undefined ? [] : [group.role])])];
          return (
            <li key={group.id} className="flex flex-wrap items-center gap-3 py-3">
              <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-ink-soft">
                <Users size={16} aria-hidden />
              </span>
              <div className="min-w-0 flex-1 basis-40">
                <p className="truncate font-medium">
                  {group.path.length > 0 && <span className="text-ink-faint">{group.path.join(' / ')} / </span>}
                  {group.name}
                </p>
                <p className="truncate text-[13px] text-ink-faint">
                  {[group.isDepartment === true ? 'Department' : '', countOf(group), group.elsewhere]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              <SelectField
                label={`Role of ${group.name}`}
                hideLabel
                className="w-40"
                value={group.role ?? none.value}
                disabled={change.isPending || !mayChange(group)}
                options={[none, ...offered.map((value) => ({ value, label: roleNames[value] }))]}
                onValue={(next) => change.mutate({ group, next: next === none.value ? undefined : (next as Role) })}
              />
              {actionsOf?.(group)}
            </li>
          );
        })}
      </ul>
    </>
  );
};
