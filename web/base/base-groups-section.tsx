// Which groups of the space have a role on this base.
import {
  addBaseCollaborators,
  removeBaseCollaborator,
  updateBaseCollaborator,
} from '@rowhouse/contract/collaborator.ts';
import { allows, type baseRoles, rank, type Role } from '@rowhouse/contract/permission.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../app/call.ts';
import { GroupRoles, type ListedGroup } from '../space/group-roles.tsx';
import { groupsQuery } from '../space/queries.ts';
import { roleNames } from '../space/role-words.ts';
import { Section } from '../ui/section.tsx';

type BaseRole = (typeof baseRoles)[number];

interface GivenRole {
  departmentId: string;
  departmentName: string;
  role: Role;
  resourceType: 'space' | 'base';
}

interface BaseGroupsProps {
  base: { id: string; spaceId: string; role: Role };
  given: readonly GivenRole[];
  roles: readonly Role[];
  onChanged: () => Promise<unknown>;
}

/** All groups of the space for those who see them; otherwise those with a role here. */
const listedGroups = (
  all: readonly { id: string; name: string; pathName: readonly string[]; memberCount: number }[],
  given: readonly GivenRole[],
): ListedGroup[] => {
  const known = new Set(all.map(({ id }) => id));
  const others = new Map(
    given
      .filter(({ departmentId }) => !known.has(departmentId))
      .map(({ departmentId, departmentName }) => [departmentId, { id: departmentId, name: departmentName, path: [] }]),
  );
  const groups = [
    ...all.map(({ pathName, id, name, memberCount }) => ({ id, name, memberCount, path: pathName.slice(0, -1) })),
    ...others.values(),
  ];
  return groups.map((group) => {
    const of = (type: 'space' | 'base'): Role | undefined =>
      given.find(({ departmentId, resourceType }) => departmentId === group.id && resourceType === type)?.role;
    const [here, ofSpace] = [of('base'), of('space')];
    return {
      ...group,
      ...(here === undefined ? {} : { role: here }),
      ...(ofSpace === undefined ? {} : { elsewhere: `${roleNames[ofSpace]} of the space` }),
    };
  });
};

export const BaseGroupsSection = ({ base, given, roles, onChanged }: BaseGroupsProps) => {
  // Those who were let into the base alone do not see the groups of its space.
  const all = useQuery({ ...groupsQuery(base.spaceId), retry: false }).data ?? [];
  const groups = listedGroups(all, given);
  if (groups.length === 0) return null;
  const params = { baseId: base.id };
  const mayChange = ({ role }: ListedGroup): boolean =>
    role === undefined
      ? allows(base.role, 'base|invite_email')
      : allows(base.role, 'base|update') && (base.role === 'owner' || rank(base.role) < rank(role));
  const setRole = async ({ id, role: present }: ListedGroup, next: Role | undefined): Promise<void> => {
    const whom = { principalId: id, principalType: 'department' as const };
    const role = next as BaseRole | undefined;
    try {
      if (role === undefined) await call(removeBaseCollaborator, { params, query: whom });
      else if (present === undefined)
        await call(addBaseCollaborators, { params, body: { collaborators: [whom], role } });
      else await call(updateBaseCollaborator, { params, body: { ...whom, role } });
    } finally {
      await onChanged();
    }
  };
  return (
    <Section title="Groups" lead="Everyone in a group has its role.">
      <GroupRoles groups={groups} roles={roles} mayChange={mayChange} onRole={setRole} />
    </Section>
  );
};
