import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { showProblem } from '../../ui/toast.ts';
import { inputClass } from '../../ui/text-field.tsx';

/** Behind the last stack: makes another, which is a choice of the field. */
export const NewStack = ({ onAdd }: { onAdd: (name: string) => Promise<void> }) => {
  const [name, setName] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name === null || name.trim() === '') return;
    setBusy(true);
    try {
      await onAdd(name.trim());
      setName(null);
    } catch (error) {
      showProblem(error, 'The stack was not added.');
    } finally {
      setBusy(false);
    }
  };
  if (name === null) {
    return (
      <Button
        look="ghost"
        className="h-11! w-56 justify-start! border border-dashed border-line-strong print:hidden"
        icon={<Plus size={16} />}
        onClick={() => setName('')}
      >
        New stack
      </Button>
    );
  }
  return (
    <form
      onSubmit={(event) => void add(event)}
      onKeyDown={(event) => event.key === 'Escape' && setName(null)}
      className="flex w-64 shrink-0 flex-col gap-2 self-start rounded-xl bg-sunken p-2.5"
    >
      <input
        autoFocus
        aria-label="Name of the stack"
        placeholder="Name of the stack"
        maxLength={1_000}
        className={inputClass}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex gap-2">
        <Button size="small" look="primary" type="submit" busy={busy} disabled={name.trim() === ''}>
          Add stack
        </Button>
        <Button size="small" look="ghost" onClick={() => setName(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
};
