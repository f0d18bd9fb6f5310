// For administrators: a base becomes something that others can begin from.
import { createTemplate, updateTemplate } from '@rowhouse/contract/template.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.ts';
import { reloadTemplates } from './queries.ts';

export const SaveAsTemplate = ({ base, onClose }: { base: { id: string; name: string }; onClose: () => void }) => {
  const [name, setName] = useState(base.name);
  const [description, setDescription] = useState('');
  const [isPublished, setPublished] = useState(true);
  const save = useMutation({
    mutationFn: async () => {
      const { id } = await call(createTemplate, {
        body: {
          name: name.trim(),
          ...(description.trim() === '' ? {} : { description: description.trim() }),
          baseId: base.id,
        },
      });
      if (isPublished) await call(updateTemplate, { params: { templateId: id }, body: { isPublished: true } });
    },
    onSuccess: async () => {
      showToast({
        kind: 'note',
        title: isPublished ? `Everyone can now start from ${name.trim()}.` : `${name.trim()} was saved as a template.`,
      });
      onClose();
      await reloadTemplates();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Save as template"
      description={`A copy of ${base.name} as it is now, with its records. Cells that name people are left empty; later changes of the base do not reach it.`}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <TextField
          label="Name"
          autoFocus
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextAreaField
          label="Description"
          maxLength={2_000}
          placeholder="What it is for, in a sentence"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <label className="flex items-start gap-3">
          <input
            type="checkbox"
            className="mt-1 size-4 accent-accent"
            checked={isPublished}
            onChange={(event) => setPublished(event.target.checked)}
          />
          <span>
            <span className="font-medium">Publish for everyone</span>
            <span className="block text-ink-soft">Otherwise only administrators see it, under Instance.</span>
          </span>
        </label>
        <ProblemNote error={save.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={save.isPending} disabled={name.trim() === ''}>
            Save template
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
