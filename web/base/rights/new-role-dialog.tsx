// A new role, from one of a few that many bases need. What it grants can be changed before anybody has it.
import { createAuthorityRole } from '@rowhouse/contract/authority-matrix.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { fieldsQuery } from '../../record-data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { reloadRights } from './queries.ts';
import { roleTemplates } from './role-templates.ts';

interface NewRoleProps {
  baseId: string;
  tables: readonly { id: string }[];
  onClose: () => void;
}

export const NewRoleDialog = ({ baseId, tables, onClose }: NewRoleProps) => {
  const [kind, setKind] = useState(roleTemplates[0]);
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: async () => {
      const drafts = await Promise.all(
        tables.map(async ({ id }) => ({
          tableId: id,
          grants: kind?.grantsOf({ id, fields: await queryClient.ensureQueryData(fieldsQuery(id)) }) ?? [],
        })),
      );
      return call(createAuthorityRole, {
        params: { baseId },
        body: { name: name.trim() || (kind?.name ?? 'Role'), tables: drafts.filter(({ grants }) => grants.length > 0) },
      });
    },
    onSuccess: async () => {
      await reloadRights(baseId);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="New role"
      description="Start from the closest template; you can change everything later."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <fieldset className="flex flex-col gap-2">
          <legend className="sr-only">Template</legend>
          {roleTemplates.map((template) => (
            <label
              key={template.id}
              className="flex cursor-pointer items-start gap-3 rounded-lg border border-line px-3 py-2.5 has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="template"
                className="mt-1 size-4 shrink-0 accent-accent"
                checked={kind?.id === template.id}
                onChange={() => setKind(template)}
              />
              <span className="min-w-0">
                <span className="block font-medium">{template.name}</span>
                <span className="block text-[13px] text-ink-soft">{template.meaning}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <TextField
          label="Name"
          value={name}
          maxLength={100}
          placeholder={kind?.name ?? ''}
          onChange={(event) => setName(event.target.value)}
        />
        <ProblemNote error={create.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
