// What comes from elsewhere: a file becomes tables, a base of Airtable or Teable becomes a base.
import { createBase } from '@rowhouse/contract/base.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { fromHere } from '../../app/from-here.ts';
import { queryClient } from '../../app/query-client.ts';
import { FileDrop } from '../../import/file-drop.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { Space } from '../spaces-query.ts';
import { bringFile } from '../../import/brought-file.ts';
import { titleOfFile } from '../../import/importable.ts';
import { ImportFrom } from './import-from.tsx';

interface ImportPageDialogProps {
  /** Where a base can be made; at least one. */
  spaces: readonly Space[];
  /** Where a table can be made. */
  bases: readonly { id: string; name: string }[];
  /** A file that was dropped already. */
  given: File | undefined;
  onClose: () => void;
}

const FileIntoBase = ({ spaces, bases, given, onClose }: ImportPageDialogProps) => {
  const navigate = useNavigate();
  const [into, setInto] = useState(spaces[0]?.id ?? bases[0]?.id ?? '');
  const [file, setFile] = useState(given);
  const go = useMutation({
    mutationFn: async (chosen: File) => {
      const leadOn = fromHere();
      const isNew = spaces.some(({ id }) => id === into);
      const baseId = isNew ? (await call(createBase, { body: { spaceId: into, name: titleOfFile(chosen) } })).id : into;
      if (isNew) await queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]) === 'bases' });
      bringFile(baseId, { file: chosen });
      onClose();
      await leadOn(() => navigate({ to: '/base/$baseId', params: { baseId } }));
    },
  });
  const options = [
    ...spaces.map(({ id, name }) => ({ value: id, label: `A new base in ${name}` })),
    ...bases.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <div className="flex flex-col gap-4">
      {file === undefined ? (
        <FileDrop problem={undefined} progress={undefined} onFile={setFile} />
      ) : (
        <p className="truncate font-medium">{file.name}</p>
      )}
      <SelectField label="Into" value={into} options={options} onValue={setInto} />
      <ProblemNote error={go.error} />
      <div className="flex justify-end">
        <Button
          look="primary"
          disabled={file === undefined}
          busy={go.isPending}
          onClick={() => file !== undefined && go.mutate(file)}
        >
          Continue
        </Button>
      </div>
    </div>
  );
};

export const ImportPageDialog = ({ spaces, bases, given, onClose }: ImportPageDialogProps) => {
  const [service, setService] = useState('file');
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Import"
      description="A file becomes tables; a base of another service becomes a base, with its records and files."
    >
      <div className="flex flex-col gap-5">
        <Choice
          label="From"
          value={service}
          onValue={setService}
          options={[
            { value: 'file', label: 'A file' },
            { value: 'airtable', label: 'Airtable' },
            { value: 'teable', label: 'Teable' },
          ]}
        />
        {service === 'file' ? (
          <FileIntoBase spaces={spaces} bases={bases} given={given} onClose={onClose} />
        ) : (
          <ImportFrom key={service} service={service as 'airtable' | 'teable'} spaces={spaces} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
};
