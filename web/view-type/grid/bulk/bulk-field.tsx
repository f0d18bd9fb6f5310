import type { Field } from '@rowhouse/contract/field.ts';
import { Undo2 } from 'lucide-react';
import { useId } from 'react';
import { CellEditor, editingOf } from '../../../field-type/cell-editor.tsx';
import { CellValue } from '../../../field-type/cell/cell-value.tsx';
import { fieldTypeOf, kindOfField } from '../../../field-type/field-types.ts';
import type { BasePerson } from '../../../record-data/queries.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { inputClass } from '../../../ui/text-field.tsx';
import type { sharedValue } from './bulk-values.ts';

interface BulkFieldProps {
  tableId: string;
  field: Field;
  shared: ReturnType<typeof sharedValue>;
  /** What is to be written; absent: the field stays as it is. */
  draft: { value: unknown } | undefined;
  people: readonly BasePerson[];
  reason: string | undefined;
  onDraft: (draft: { value: unknown } | undefined) => void;
}

const Present = ({ field, shared }: Pick<BulkFieldProps, 'field' | 'shared'>) =>
  shared.is === 'several' ? (
    <span className="text-ink-faint italic">Several values</span>
  ) : (
    <span className="line-clamp-2">
      <CellValue field={field} value={shared.value} />
    </span>
  );

const buttonClass = `${inputClass} !h-auto min-h-9 py-1.5 text-left`;

export const BulkField = ({ tableId, field, shared, draft, people, reason, onDraft }: BulkFieldProps) => {
  const id = useId();
  const { icon: Icon } = fieldTypeOf(kindOfField(field));
  const { frame } = editingOf(field.type);
  const set = (value: unknown): void => onDraft({ value });
  const begin = { value: shared.is === 'same' ? shared.value : undefined };
  const editor = {
    field,
    tableId,
    people,
    id,
    label: field.name,
    value: (draft ?? begin).value,
    onChange: set,
    onFinish: set,
  };
  const isEmptied = draft !== undefined && (draft.value === null || draft.value === undefined);
  return (
    <div data-field={field.id}>
      <div className="mb-1.5 flex h-5 items-center gap-1.5 text-[13px] font-medium text-ink-soft">
        <Icon size={14} className="shrink-0 text-ink-faint" aria-hidden />
        <label htmlFor={id} className="min-w-0 truncate">
          {field.name}
        </label>
        {draft !== undefined && (
          <IconButton
            label={`Leave ${field.name} unchanged`}
            className="-my-2 ml-auto"
            onClick={() => onDraft(undefined)}
          >
            <Undo2 size={14} />
          </IconButton>
        )}
      </div>
      {frame === 'tick' ? (
        <span className="flex items-center gap-2.5">
          <CellEditor {...editor} />
          {draft === undefined && shared.is === 'several' && <Present field={field} shared={shared} />}
        </span>
      ) : frame === 'list' ? (
        <Popover
          label={field.name}
          trigger={
            <button id={id} type="button" className={buttonClass}>
              {draft === undefined ? (
                <Present field={field} shared={shared} />
              ) : (
                <CellValue field={field} value={draft.value} />
              )}
            </button>
          }
        >
          <CellEditor {...editor} autoFocus />
        </Popover>
      ) : draft === undefined ? (
        <button id={id} type="button" className={buttonClass} onClick={() => onDraft(begin)}>
          <Present field={field} shared={shared} />
        </button>
      ) : (
        <CellEditor {...editor} autoFocus className={inputClass} />
      )}
      {reason !== undefined ? (
        <p role="alert" className="mt-1 text-[13px] text-danger">
          {reason}
        </p>
      ) : (
        isEmptied &&
        frame !== 'tick' && <p className="mt-1 text-[13px] text-ink-faint">Leave it empty to clear this field.</p>
      )}
    </div>
  );
};
