import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { ChoicesField } from './choices-field.tsx';
import { DateOptions } from './date-options.tsx';
import { FormulaEditor } from './formula-editor.tsx';
import { NumberOptions } from './number-options.tsx';
import { ShowAs } from './show-as.tsx';
import { TrackedFields } from './tracked-fields.tsx';

interface FieldOptionsProps {
  tableId: string;
  type: FieldTypeName;
  /** The field as it is, when it is changed. */
  field: Field | undefined;
  /** Of the table: formulas name them. */
  fields: readonly Field[];
  recordId: string | undefined;
  options: Record<string, unknown>;
  onChange: (options: Record<string, unknown>) => void;
}

/** What a type can be told, for those that can be told something. */
export const FieldOptions = ({ tableId, type, field, fields, recordId, options, onChange }: FieldOptionsProps) => {
  switch (type) {
    case 'number':
      return (
        <>
          <NumberOptions options={options} onChange={onChange} />
          <ShowAs kind="number" options={options} onChange={onChange} />
        </>
      );
    case 'singleLineText':
      return <ShowAs kind="string" options={options} onChange={onChange} />;
    case 'date':
    case 'createdTime':
      return <DateOptions options={options} onChange={onChange} />;
    case 'lastModifiedTime':
      return (
        <>
          <DateOptions options={options} onChange={onChange} />
          <TrackedFields fields={fields} options={options} onChange={onChange} />
        </>
      );
    case 'lastModifiedBy':
      return <TrackedFields fields={fields} options={options} onChange={onChange} />;
    case 'singleSelect':
    case 'multipleSelect':
      return <ChoicesField options={options} onChange={onChange} />;
    case 'formula':
      return (
        <FormulaEditor
          tableId={tableId}
          field={field}
          fields={fields}
          recordId={recordId}
          options={options}
          onChange={onChange}
        />
      );
    case 'rating':
      return (
        <SelectField
          label="Stars"
          value={String(options['max'] ?? 5)}
          options={Array.from({ length: 10 }, (_item, index) => ({
            value: String(index + 1),
            label: String(index + 1),
          }))}
          onValue={(max) => onChange({ ...options, max: Number(max) })}
        />
      );
    case 'user':
      return (
        <label className="flex items-center gap-2.5">
          <input
            type="checkbox"
            className="size-4 accent-[var(--accent)]"
            checked={options['isMultiple'] === true}
            onChange={(event) => onChange({ ...options, isMultiple: event.target.checked })}
          />
          Several people in one cell
        </label>
      );
    default:
      return null;
  }
};
