import type { Field } from '@rowhouse/contract/field.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { personOption } from '../../field-type/cell/cell-options.tsx';
import { fieldOption } from '../../field-type/field-types.ts';
import { type HistoryFilter, spans } from './history-query.ts';

interface HistoryFilterFormProps {
  filter: HistoryFilter;
  fields: readonly Field[];
  people: readonly BasePerson[];
  onChange: (filter: HistoryFilter) => void;
}

export const HistoryFilterForm = ({ filter, fields, people, onChange }: HistoryFilterFormProps) => (
  <div role="group" aria-label="Filter the history" className="grid grid-cols-2 gap-2 border-b border-line px-4 py-3">
    <SelectField
      label="Person"
      hideLabel
      value={filter.personId}
      options={[{ value: '', label: 'Everyone' }, ...people.map(personOption)]}
      onValue={(personId) => onChange({ ...filter, personId })}
    />
    <SelectField
      label="Field"
      hideLabel
      value={filter.fieldId}
      options={[
        { value: '', label: 'All fields' },
        ...fields.filter(({ isComputed }) => isComputed !== true).map(fieldOption),
      ]}
      onValue={(fieldId) => onChange({ ...filter, fieldId })}
    />
    <SelectField
      label="Time"
      hideLabel
      className={filter.span === 'between' ? 'col-span-2' : ''}
      value={filter.span}
      options={spans}
      onValue={(span) => onChange({ ...filter, span: span as HistoryFilter['span'] })}
    />
    {filter.span === 'between' && (
      <>
        <input
          type="date"
          aria-label="From"
          className={inputClass}
          value={filter.from}
          max={filter.to}
          onChange={(event) => onChange({ ...filter, from: event.target.value })}
        />
        <input
          type="date"
          aria-label="To"
          className={inputClass}
          value={filter.to}
          min={filter.from}
          onChange={(event) => onChange({ ...filter, to: event.target.value })}
        />
      </>
    )}
  </div>
);
