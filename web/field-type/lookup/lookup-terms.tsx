// Which records count for a lookup, rollup or count: those that meet a condition, in which order, and how many of them.
import type { Field, LookupOptions as Lookup } from '@rowhouse/contract/field.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { fieldOption } from '../field-types.ts';
import { countConditions, noFilter, writeFilter } from '../filter/conditions.ts';
import { FilterGroupEditor } from '../filter/filter-group.tsx';

interface LookupTermsProps {
  lookup: Lookup;
  /** Fields of the other table. */
  foreign: readonly Field[];
  there: string;
  /** Fields of this table that may stand in conditions. */
  hosts?: readonly Field[] | undefined;
  /** Whether the order counts, and how many of them. */
  isOrdered: boolean;
  people: readonly BasePerson[];
  issue: (path: string) => string | undefined;
  onChange: (lookup: Lookup) => void;
}

const without = (lookup: Lookup, key: 'filter' | 'sort' | 'limit'): Lookup => {
  const { [key]: _left, ...rest } = lookup;
  return rest;
};

export const LookupTerms = ({
  lookup,
  foreign,
  there,
  hosts,
  isOrdered,
  people,
  issue,
  onChange,
}: LookupTermsProps) => {
  const saved = (lookup.filter as FilterGroup | null | undefined) ?? noFilter;
  // With conditions that are not complete yet.
  const [draft, setDraft] = useState<FilterGroup>();
  const { sort, limit } = lookup;
  const count = countConditions(saved);
  const change = (next: FilterGroup): void => {
    setDraft(next);
    const filter = writeFilter(next);
    onChange(filter === null ? without(lookup, 'filter') : { ...lookup, filter });
  };
  const filterIssue = issue('lookupOptions.filter');
  return (
    <div role="group" aria-label="Which records" className="flex flex-col gap-3">
      <div>
        <Popover
          label="Conditions"
          onOpenChange={(isOpen) => !isOpen && setDraft(undefined)}
          trigger={
            <Button size="small" icon={<ListFilter size={15} />}>
              {count === 0
                ? `Filter records of ${there}…`
                : `Only where ${count} ${count === 1 ? 'condition is' : 'conditions are'} met`}
            </Button>
          }
        >
          <div className="flex w-[44rem] max-w-full flex-col gap-2.5">
            {(draft ?? saved).filterSet.length === 0 && (
              <p className="text-ink-soft">All linked records are included. Add a condition to narrow them.</p>
            )}
            <FilterGroupEditor
              group={draft ?? saved}
              place=""
              fields={foreign}
              people={people}
              hosts={hosts}
              onChange={change}
            />
          </div>
        </Popover>
        {filterIssue !== undefined && (
          <p role="alert" className="pt-1 text-[13px] text-danger">
            {filterIssue}
          </p>
        )}
      </div>
      {isOrdered && (
        <div className="grid grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_5rem] items-end gap-2">
          <SelectField
            label="Sort by"
            value={sort?.fieldId ?? ''}
            options={[
              { value: '', label: hosts === undefined ? 'As linked' : 'As in the table' },
              ...foreign.filter(({ hasError }) => hasError !== true).map(fieldOption),
            ]}
            error={issue('lookupOptions.sort.fieldId')}
            onValue={(fieldId) =>
              onChange(
                fieldId === ''
                  ? without(lookup, 'sort')
                  : { ...lookup, sort: { fieldId, order: sort?.order ?? 'asc' } },
              )
            }
          />
          <SelectField
            label="Order"
            value={sort?.order ?? 'asc'}
            disabled={sort == null}
            options={[
              { value: 'asc', label: 'Ascending' },
              { value: 'desc', label: 'Descending' },
            ]}
            onValue={(order) =>
              sort != null && onChange({ ...lookup, sort: { ...sort, order: order as 'asc' | 'desc' } })
            }
          />
          <TextField
            label="At most"
            type="number"
            min={1}
            max={5_000}
            placeholder="all"
            value={limit ?? ''}
            error={issue('lookupOptions.limit')}
            onChange={(event) =>
              onChange(
                event.target.value === '' ? without(lookup, 'limit') : { ...lookup, limit: Number(event.target.value) },
              )
            }
          />
        </div>
      )}
    </div>
  );
};
