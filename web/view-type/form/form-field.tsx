import type { Field } from '@rowhouse/contract/field.ts';
import { useContext, useId } from 'react';
import { Popover } from '../../ui/popover.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import { CellValue } from '../../field-type/cell/cell-value.tsx';
import { CellEditor, editingOf } from '../../field-type/cell-editor.tsx';
import { fieldTypeOf } from '../../field-type/field-types.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import { EditorOfLinks } from './form-parts.ts';

interface FormFieldProps {
  field: Field;
  question: string;
  help: string | undefined;
  isRequired: boolean;
  value: unknown;
  people: readonly BasePerson[];
  reason: string | undefined;
  onChange: (value: unknown) => void;
}

export const FormField = ({ field, question, help, isRequired, value, people, reason, onChange }: FormFieldProps) => {
  const id = useId();
  const LinkEditor = useContext(EditorOfLinks);
  const { frame } = editingOf(field.type);
  // People who fill in a form choose among what is there.
  const closed = { ...field, options: { ...field.options, preventAutoNewOptions: true } };
  const editor = { field: closed, value, people, id, label: question, onChange, onFinish: onChange };
  return (
    <div data-field={field.id}>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {question}
        {isRequired && (
          <span className="text-danger" aria-hidden>
            {' *'}
          </span>
        )}
        {isRequired && <span className="sr-only"> (required)</span>}
      </label>
      {help !== undefined && <p className="mb-1.5 text-[13px] whitespace-pre-line text-ink-soft">{help}</p>}
      {frame === 'tick' ? (
        <CellEditor {...editor} />
      ) : frame === 'list' ? (
        <Popover
          label={question}
          trigger={
            <button id={id} type="button" className={`${inputClass} !h-auto min-h-9 py-1.5 text-left`}>
              {value === null || value === undefined ? (
                <span className="text-ink-faint">Choose…</span>
              ) : (
                <CellValue field={field} value={value} />
              )}
            </button>
          }
        >
          {LinkEditor !== null && fieldTypeOf(field.type).leadsTo !== undefined ? (
            <LinkEditor {...editor} autoFocus />
          ) : (
            <CellEditor {...editor} autoFocus />
          )}
        </Popover>
      ) : (
        <CellEditor {...editor} className={inputClass} />
      )}
      {reason !== undefined && (
        <p role="alert" className="mt-1 text-[13px] text-danger">
          {reason}
        </p>
      )}
    </div>
  );
};
