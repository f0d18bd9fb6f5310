// Who has a role: people and groups. Those who are not in the base yet become viewers of it.
import { setAuthorityRoleMembers } from '@rowhouse/contract/authority-matrix.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { peopleQuery } from '../../record-data/queries.ts';
import { groupsQuery } from '../../space/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { MultiSelect } from '../../ui/multi-select.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { PreviewPart } from './preview-part.tsx';
import { type AuthorityRole, reloadRights } from './queries.ts';

interface RoleMembersProps {
  base: { id: string; spaceId: string };
  role: AuthorityRole;
  isOn: boolean;
  onClose: () => void;
}

export const RoleMembersDialog = ({ base, role, isOn, onClose }: RoleMembersProps) => {
  const people = useQuery(peopleQuery(base.id));
  const groups = useQuery({ ...groupsQuery(base.spaceId), retry: false });
  const [userIds, setUserIds] = useState((role.users ?? []).map(({ id }) => id));
  const [departmentIds, setDepartmentIds] = useState((role.departments ?? []).map(({ id }) => id));
  const known = new Map([...(role.users ?? []), ...(people.data?.users ?? [])].map((user) => [user.id, user]));
  const knownGroups = new Map([...(role.departments ?? []), ...(groups.data ?? [])].map((group) => [group.id, group]));
  const save = useMutation({
    mutationFn: () =>
      call(setAuthorityRoleMembers, {
        params: { baseId: base.id, authorityMatrixRoleId: role.id },
        body: { userIds, departmentIds },
      }),
    onSuccess: async () => {
      await reloadRights(base.id);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Who is ${role.name}`}
      description="People can have several roles; their rights add up."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <ProblemNote error={people.error ?? save.error} />
        <MultiSelect
          label="People"
          placeholder="Choose people…"
          values={userIds}
          options={[...known.values()].map(({ id, name, email }) => ({
            value: id,
            label: name,
            ...(email === '' ? {} : { note: email }),
          }))}
          onValues={setUserIds}
        />
        {knownGroups.size > 0 && (
          <MultiSelect
            label="Groups"
            placeholder="Choose groups…"
            values={departmentIds}
            options={[...knownGroups.values()].map(({ id, name }) => ({ value: id, label: name }))}
            onValues={setDepartmentIds}
          />
        )}
        <PreviewPart baseId={base.id} draft={{ role: { id: role.id, userIds, departmentIds } }} isOn={isOn} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
