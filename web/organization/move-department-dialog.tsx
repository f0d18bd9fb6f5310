import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SelectField } from '../ui/select-field.tsx';

interface MoveProps {
  department: { id: string; name: string; parentId?: string };
  departments: readonly { id: string; path: readonly string[]; pathName: readonly string[] }[];
  onMove: (parentId: string | null) => Promise<void>;
  onClose: () => void;
}

const top = 'top';

/** Not into itself, nor into what is inside of it. */
export const MoveDepartmentDialog = ({ department, departments, onMove, onClose }: MoveProps) => {
  const [target, setTarget] = useState(department.parentId ?? top);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const offered = departments.filter(({ path }) => !path.includes(department.id));
  const move = async (): Promise<void> => {
    setBusy(true);
    try {
      await onMove(target === top ? null : target);
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={onClose} title={`Move ${department.name}`}>
      <div className="flex flex-col gap-4">
        <SelectField
          label="Inside of"
          value={target}
          options={[
            { value: top, label: 'The organisation itself' },
            ...offered.map(({ id, pathName }) => ({ value: id, label: pathName.join(' / ') })),
          ]}
          onValue={setTarget}
        />
        <ProblemNote error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={() => void move()}>
            Move
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
