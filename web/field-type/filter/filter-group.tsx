// The conditions of a filter, and the groups of conditions inside of it.
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { FolderPlus, Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { ConditionRow } from './condition-row.tsx';
import { type BesidesOf, isGroup, newCondition } from './conditions.ts';

interface FilterGroupEditorProps {
  group: FilterGroup;
  /** Empty for the outermost, else `2` or `2.1`. */
  place: string;
  fields: readonly Field[];
  people: readonly BasePerson[];
  /** Fields of another record whose cells conditions may be compared with. */
  hosts?: readonly Field[] | undefined;
  /** What else they may be compared with. */
  besidesOf?: BesidesOf | undefined;
  onChange: (group: FilterGroup) => void;
}

/** Deeper ones, made through the API, are shown and can be changed; nobody needs help to make more. */
const deepest = 3;

export const FilterGroupEditor = ({
  group,
  place,
  fields,
  people,
  hosts,
  besidesOf,
  onChange,
}: FilterGroupEditorProps) => {
  const { conjunction, filterSet } = group;
  const set = (next: FilterGroup['filterSet']): void => onChange({ conjunction, filterSet: next });
  const replace = (index: number, item: Condition | FilterGroup): void =>
    set(filterSet.map((old, at) => (at === index ? item : old)));
  const remove = (index: number): void => set(filterSet.filter((_item, at) => at !== index));
  const depth = place === '' ? 1 : place.split('.').length + 1;
  const [primary] = fields;

  const leadOf = (index: number): ReactNode => {
    if (index === 0) return <span className="pl-1 text-ink-soft">{place === '' ? 'Where' : 'If'}</span>;
    // One word joins all conditions of a group, so it is chosen once.
    if (index > 1) return <span className="pl-2.5 text-ink-soft">{conjunction}</span>;
    return (
      <SelectField
        label={place === '' ? 'Combined by' : `Group ${place} combined by`}
        hideLabel
        value={conjunction}
        options={[
          { value: 'and', label: 'and' },
          { value: 'or', label: 'or' },
        ]}
        onValue={(next) => onChange({ conjunction: next as 'and' | 'or', filterSet })}
      />
    );
  };

  return (
    <div className="flex min-w-0 flex-1 flex-col gap-2.5">
      {filterSet.map((item, index) => {
        const own = place === '' ? String(index + 1) : `${place}.${index + 1}`;
        if (!isGroup(item))
          return (
            <ConditionRow
              key={index}
              condition={item}
              place={own}
              lead={leadOf(index)}
              fields={fields}
              people={people}
              hosts={hosts}
              besidesOf={besidesOf}
              onChange={(condition) => replace(index, condition)}
              onRemove={() => remove(index)}
            />
          );
        return (
          <div key={index} className="flex items-start gap-2 max-sm:flex-wrap">
            <div className="w-20 shrink-0 pt-2.5">{leadOf(index)}</div>
            <div
              role="group"
              aria-label={`Group ${own}`}
              className="flex min-w-0 flex-1 items-start gap-2 max-sm:basis-full rounded-lg border border-line bg-sunken p-2"
            >
              <FilterGroupEditor
                group={item}
                place={own}
                fields={fields}
                people={people}
                hosts={hosts}
                besidesOf={besidesOf}
                onChange={(inner) => replace(index, inner)}
              />
              <IconButton label={`Remove group ${own}`} onClick={() => remove(index)}>
                <X size={16} />
              </IconButton>
            </div>
          </div>
        );
      })}
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          icon={<Plus size={15} />}
          // Its fields are still on their way.
          disabled={primary === undefined}
          onClick={() => primary !== undefined && set([...filterSet, newCondition(primary)])}
        >
          {place === '' ? 'Add a condition' : 'Add to the group'}
        </Button>
        {depth < deepest && (
          <Button
            size="small"
            look="ghost"
            icon={<FolderPlus size={15} />}
            disabled={primary === undefined}
            onClick={() =>
              primary !== undefined &&
              set([
                ...filterSet,
                { conjunction: conjunction === 'and' ? 'or' : 'and', filterSet: [newCondition(primary)] },
              ])
            }
          >
            Add a group
          </Button>
        )}
      </div>
    </div>
  );
};
