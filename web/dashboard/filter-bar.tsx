// The filters across all charts: what the dashboard offers, and groups that were pressed.
import type { DashboardFilter } from '@rowhouse/contract/dashboard.ts';
import type { Condition } from '@rowhouse/contract/filter.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { ListFilter, X } from 'lucide-react';
import { cellText } from '../field-type/cell-text.ts';
import { ConditionValue } from '../field-type/filter/condition-value.tsx';
import { newCondition, operatorsOf } from '../field-type/filter/conditions.ts';
import { dateChoices, operatorWords } from '../field-type/filter/operator-words.ts';
import type { BasePerson } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { type FilterChoice, noReaderFilters, type ReaderFilters } from './reader-filters.ts';

interface FilterBarProps {
  offered: readonly DashboardFilter[];
  filters: ReaderFilters;
  fieldOf: (tableId: string, fieldId: string) => Field | undefined;
  people: readonly BasePerson[];
  onChange: (filters: ReaderFilters) => void;
}

/** "any of Won, Lost" */
const choiceWords = ({ operator, value }: FilterChoice, field: Field, people: readonly BasePerson[]): string => {
  const nameOf = (one: unknown): string =>
    people.find(({ id }) => id === one)?.name ?? (typeof one === 'string' ? one : cellText(field, one));
  if (Array.isArray(value)) return value.map(nameOf).join(', ');
  if (typeof value === 'object' && value !== null) {
    const { mode, exactDate, numberOfDays } = value as { mode: string; exactDate?: string; numberOfDays?: number };
    const words = dateChoices(operator).find((choice) => choice.value === mode)?.label ?? mode;
    return `${operatorWords[operator]} ${exactDate?.slice(0, 10) ?? words}${numberOfDays === undefined ? '' : ` (${numberOfDays})`}`;
  }
  if (typeof value === 'boolean') return value ? 'checked' : 'not checked';
  return value === null ? operatorWords[operator] : `${operatorWords[operator]} ${nameOf(value)}`;
};

/** Several at once is what most people want of a list of choices; a range is what they want of dates. */
const preferred = ['isAnyOf', 'hasAnyOf', 'isWithIn', 'contains'] as const;

const begin = (field: Field): FilterChoice => {
  const operators = operatorsOf(field);
  const operator = preferred.find((one) => operators.includes(one)) ?? newCondition(field).operator;
  return { operator, value: newCondition(field).value };
};

const OneFilter = ({
  filter,
  field,
  choice,
  people,
  onChoice,
}: {
  filter: DashboardFilter;
  field: Field;
  choice: FilterChoice | undefined;
  people: readonly BasePerson[];
  onChoice: (choice: FilterChoice | undefined) => void;
}) => {
  const now = choice ?? begin(field);
  const condition: Condition = { fieldId: field.id, ...now };
  return (
    <span className="inline-flex items-center">
      <Popover
        label={filter.name}
        trigger={
          <button
            type="button"
            className={classNames(
              'inline-flex h-8 max-w-72 items-center gap-1.5 rounded-lg border px-2.5 font-medium',
              choice === undefined
                ? 'border-line bg-surface text-ink-soft hover:text-ink'
                : 'border-accent bg-accent-soft text-accent',
            )}
          >
            <ListFilter size={15} className="shrink-0" aria-hidden />
            <span className="truncate">
              {choice === undefined ? filter.name : `${filter.name}: ${choiceWords(choice, field, people)}`}
            </span>
          </button>
        }
      >
        <div className="flex w-72 flex-col gap-3">
          <SelectField
            label={filter.name}
            value={now.operator}
            options={operatorsOf(field).map((operator) => ({ value: operator, label: operatorWords[operator] }))}
            onValue={(operator) => onChoice({ ...begin(field), operator: operator as FilterChoice['operator'] })}
          />
          <ConditionValue
            condition={condition}
            field={field}
            people={people}
            onValue={(value) => onChoice({ ...now, value })}
          />
          <Button
            size="small"
            className="self-start"
            disabled={choice === undefined}
            onClick={() => onChoice(undefined)}
          >
            Clear
          </Button>
        </div>
      </Popover>
    </span>
  );
};

export const FilterBar = ({ offered, filters, fieldOf, people, onChange }: FilterBarProps) => {
  const shown = offered.flatMap((filter) => {
    const [first] = filter.fields;
    const field = first && fieldOf(first.tableId, first.fieldId);
    return field === undefined ? [] : [{ filter, field }];
  });
  const isAny = Object.keys(filters.chosen).length > 0 || filters.pressed.length > 0;
  if (shown.length === 0 && !isAny) return null;
  const choose = (id: string, choice: FilterChoice | undefined): void => {
    const { [id]: _before, ...others } = filters.chosen;
    onChange({ ...filters, chosen: choice === undefined ? others : { ...others, [id]: choice } });
  };
  return (
    <div role="group" aria-label="Filters of the dashboard" className="flex flex-wrap items-center gap-2 pb-4">
      {shown.map(({ filter, field }) => (
        <OneFilter
          key={filter.id}
          filter={filter}
          field={field}
          choice={filters.chosen[filter.id]}
          people={people}
          onChoice={(choice) => choose(filter.id, choice)}
        />
      ))}
      {filters.pressed.map((one, at) => (
        <span
          key={at}
          className="inline-flex h-8 max-w-72 items-center gap-1 rounded-lg border border-accent bg-accent-soft pl-2.5 font-medium text-accent"
        >
          <span className="truncate">{one.label}</span>
          <IconButton
            label={`Remove the filter ${one.label}`}
            className="size-7 text-accent!"
            onClick={() => onChange({ ...filters, pressed: filters.pressed.filter((_one, place) => place !== at) })}
          >
            <X size={14} />
          </IconButton>
        </span>
      ))}
      {isAny && (
        <Button size="small" look="ghost" onClick={() => onChange(noReaderFilters)}>
          Clear all
        </Button>
      )}
    </div>
  );
};
