import { updateSetting } from '@rowhouse/contract/setting.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../app/call.ts';
import { FormSection } from '../ui/form-section.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.ts';
import { reloadSettings } from './settings-query.ts';

export const NameSection = ({ brandName }: { brandName: string | null }) => {
  const [name, setName] = useState(brandName ?? '');
  const wanted = name.trim() === '' ? null : name.trim();
  const save = useMutation({
    mutationFn: () => call(updateSetting, { body: { brandName: wanted } }),
    onSuccess: async () => {
      await reloadSettings();
      showToast({ kind: 'note', title: 'The name was changed.' });
    },
  });
  return (
    <FormSection
      title="Name"
      lead="What people read at the top of every page, in the tab of their browser and where they sign in."
      action="Save"
      look="primary"
      busy={save.isPending}
      disabled={wanted === brandName}
      error={save.error}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label="Name of this instance"
        maxLength={100}
        placeholder="Rowhouse"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormSection>
  );
};
