// A filter inside of a form: its conditions, and what it means to have none.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { BasePerson } from '../../record-data/queries.ts';
import { FilterGroupEditor } from './filter-group.tsx';

interface FilterBoxProps {
  label: string;
  /** Said while it has no condition. */
  without: string;
  filter: FilterGroup;
  fields: readonly Field[];
  people: readonly BasePerson[];
  onChange: (filter: FilterGroup) => void;
}

export const FilterBox = ({ label, without, filter, fields, people, onChange }: FilterBoxProps) => (
  <fieldset>
    <legend className="mb-1.5 text-[13px] font-medium text-ink-soft">{label}</legend>
    <div className="flex flex-col gap-2.5 rounded-lg border border-line p-3">
      {filter.filterSet.length === 0 && <p className="text-ink-soft">{without}</p>}
      <FilterGroupEditor group={filter} place="" fields={fields} people={people} onChange={onChange} />
    </div>
  </fieldset>
);
