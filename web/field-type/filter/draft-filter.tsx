// Conditions that are not complete yet stay here; what is complete of them is told.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { useState } from 'react';
import { noFilter, writeFilter } from './conditions.ts';
import { FilterBox } from './filter-box.tsx';
import type { BasePerson } from '../../record-data/queries.ts';

interface DraftFilterProps {
  label: string;
  without: string;
  filter: FilterGroup | null | undefined;
  fields: readonly Field[];
  people: readonly BasePerson[];
  onChange: (filter: FilterGroup | null) => void;
}

export const DraftFilter = ({ filter, onChange, ...rest }: DraftFilterProps) => {
  const [draft, setDraft] = useState<FilterGroup>(filter ?? noFilter);
  return (
    <FilterBox
      {...rest}
      filter={draft}
      onChange={(next) => {
        setDraft(next);
        onChange(writeFilter(next));
      }}
    />
  );
};
