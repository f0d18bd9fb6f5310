import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/select-field.tsx';
import type { Space } from './spaces-query.ts';
import { startBase } from './start/start-base.ts';
import { StartForm } from './start/start-form.tsx';
import { fromHere } from '../app/from-here.ts';

interface NewBaseDialogProps {
  /** Where it can be made; at least one. */
  spaces: readonly Space[];
  /** What the address asks for. */
  templateId?: string | undefined;
  onClose: () => void;
}

export const NewBaseDialog = ({ spaces, templateId, onClose }: NewBaseDialogProps) => {
  const navigate = useNavigate();
  const [spaceId, setSpaceId] = useState(spaces[0]?.id ?? '');
  return (
    <Dialog open wide onClose={onClose} title="New base" description="A base holds tables that belong together.">
      <div className="flex flex-col gap-5">
        {spaces.length > 1 && (
          <SelectField
            label="Space"
            value={spaceId}
            options={spaces.map(({ id, name }) => ({ value: id, label: name }))}
            onValue={setSpaceId}
          />
        )}
        <StartForm
          label="Name"
          placeholder="Repairs, customers, ideas…"
          action="Create base"
          templateId={templateId}
          onCancel={onClose}
          onStart={async (name, source) => {
            const leadOn = fromHere();
            const baseId = await startBase(spaceId, name, source);
            await leadOn(() => navigate({ to: '/base/$baseId', params: { baseId } }));
          }}
        />
      </div>
    </Dialog>
  );
};
