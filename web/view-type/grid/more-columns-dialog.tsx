// What is pasted has more columns than there are fields: it can become more fields.
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { NewColumn } from './clipboard/columns-beyond.ts';
import { fieldTypeOf } from '../../field-type/field-types.ts';

interface MoreColumnsDialogProps {
  columns: readonly NewColumn[];
  /** undefined: nothing is to be pasted. */
  onAnswer: (answer: 'add' | 'leave out' | undefined) => void;
}

export const MoreColumnsDialog = ({ columns, onAnswer }: MoreColumnsDialogProps) => {
  const isOne = columns.length === 1;
  return (
    <Dialog
      open
      onClose={() => onAnswer(undefined)}
      title={isOne ? 'One more column' : `${columns.length} more columns`}
      description={`What you paste reaches beyond the last field. ${isOne ? 'It can become a new field:' : 'They can become new fields:'}`}
    >
      <div className="flex flex-col gap-4">
        <ul className="max-h-52 overflow-y-auto rounded-lg border border-line">
          {columns.map(({ name, type }, index) => {
            const { icon: Icon, label } = fieldTypeOf(type);
            return (
              <li key={index} className="flex items-center gap-2.5 border-b border-line px-3 py-1.5 last:border-b-0">
                <Icon size={15} className="shrink-0 text-ink-faint" aria-hidden />
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span className="text-[13px] text-ink-soft">{label}</span>
              </li>
            );
          })}
        </ul>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => onAnswer('leave out')}>{isOne ? 'Leave it out' : 'Leave them out'}</Button>
          <Button autoFocus look="primary" onClick={() => onAnswer('add')}>
            {isOne ? 'Add the field' : `Add ${columns.length} fields`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
