// The fields that a step writes, each with its value: chosen where the field has choices, written with chips otherwise.
import type { Field } from '@rowhouse/contract/field.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import { X } from 'lucide-react';
import { editingOf } from '../field-type/cell-editor.tsx';
import { cellOptions } from '../field-type/cell/cell-options.tsx';
import { fieldOption } from '../field-type/field-types.ts';
import type { BasePerson } from '../record-data/queries.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MultiSelect } from '../ui/multi-select.tsx';
import { SelectField } from '../ui/select-field.tsx';
import type { Source } from './sources.ts';
import { ValueField } from './value-field.tsx';

interface CellValuesProps {
  fields: readonly Field[];
  values: Record<string, unknown>;
  sources: readonly Source[];
  people: readonly BasePerson[];
  errorAt: (key: string) => string | undefined;
  onChange: (values: Record<string, unknown>) => void;
}

const isInserted = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && ('formula' in value || 'template' in value);

/** Of a field with choices: one of them, or what stands in a field of another record. */
const ChosenCell = ({
  field,
  value,
  options,
  onValue,
}: {
  field: Field;
  value: unknown;
  options: readonly { value: string; label: string }[];
  onValue: (value: unknown) => void;
}) => {
  const isPerson = kindOf(field) === 'person';
  const idOf = (one: unknown): string =>
    typeof one === 'object' && one !== null && 'id' in one ? String(one.id) : String(one ?? '');
  const cellOf = (one: string): unknown => (isPerson ? { id: one } : one);
  if (field.isMultipleCellValue === true)
    return (
      <MultiSelect
        label={field.name}
        values={Array.isArray(value) ? value.map(idOf) : []}
        options={options}
        onValues={(values) => onValue(values.map(cellOf))}
      />
    );
  return (
    <SelectField
      label={field.name}
      hideLabel
      value={idOf(value)}
      options={options}
      onValue={(next) => onValue(cellOf(next))}
    />
  );
};

const yesNo = [
  { value: 'true', label: 'Checked' },
  { value: 'false', label: 'Not checked' },
];

const CellOf = ({
  field,
  value,
  sources,
  people,
  error,
  onValue,
}: {
  field: Field;
  value: unknown;
  sources: readonly Source[];
  people: readonly BasePerson[];
  error: string | undefined;
  onValue: (value: unknown) => void;
}) => {
  const options = kindOf(field) === 'boolean' ? yesNo : cellOptions(field, people);
  const isChosen = options !== undefined && !isInserted(value);
  return (
    <div className="flex flex-col gap-1.5">
      {isChosen ? (
        kindOf(field) === 'boolean' ? (
          <SelectField
            label={field.name}
            hideLabel
            value={value === null ? 'false' : String(value ?? '')}
            options={yesNo}
            onValue={(next) => onValue(next === 'true' ? true : null)}
          />
        ) : (
          <ChosenCell field={field} value={value} options={options} onValue={onValue} />
        )
      ) : (
        <ValueField
          label={field.name}
          hideLabel
          value={value === null ? '' : value}
          sources={sources}
          lines={editingOf(field.type).frame === 'lines'}
          isNumber={field.cellValueType === 'number'}
          error={error}
          onValue={(next) => onValue(next === '' ? null : next)}
        />
      )}
      {options !== undefined && (
        <button
          type="button"
          className="self-start text-[13px] text-accent underline"
          onClick={() => onValue(isChosen ? { template: '' } : null)}
        >
          {isChosen ? 'Take it from another record' : 'Choose it here'}
        </button>
      )}
      {isChosen && error !== undefined && <p className="text-[13px] text-danger">{error}</p>}
    </div>
  );
};

export const CellValues = ({ fields, values, sources, people, errorAt, onChange }: CellValuesProps) => {
  const writable = fields.filter((field) => field.isComputed !== true && kindOf(field) !== 'file');
  const free = writable.filter(({ id }) => !(id in values));
  const without = (id: string): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).filter(([key]) => key !== id));
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">Fields</legend>
      <div className="flex flex-col gap-3 rounded-lg border border-line p-3">
        {Object.entries(values).map(([id, value]) => {
          const field = fields.find((one) => one.id === id || one.name === id);
          return (
            <div key={id} className="grid grid-cols-[1fr_auto] gap-x-2 gap-y-1">
              <span className="self-center font-medium">{field?.name ?? 'Deleted field'}</span>
              <IconButton label={`Remove ${field?.name ?? id}`} onClick={() => onChange(without(id))}>
                <X size={16} />
              </IconButton>
              <div className="col-span-2">
                {field === undefined ? (
                  <p className="text-[13px] text-danger">This field was deleted. Remove it here.</p>
                ) : (
                  <CellOf
                    field={field}
                    value={value}
                    sources={sources}
                    people={people}
                    error={errorAt(id)}
                    onValue={(next) => onChange({ ...values, [id]: next })}
                  />
                )}
              </div>
            </div>
          );
        })}
        {free.length > 0 && (
          <SelectField
            label="Add a field"
            hideLabel
            value=""
            placeholder="Add a field…"
            options={free.map(fieldOption)}
            onValue={(id) => onChange({ ...values, [id]: null })}
          />
        )}
      </div>
    </fieldset>
  );
};
