import type { Condition, FilterGroup, FilterOperator } from '@rowhouse/contract/filter.ts';
import { ListFilter, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { BasePerson } from '../editor/editor-props.ts';
import { ToolbarButton } from '../toolbar-button.tsx';
import { ConditionValue } from './condition-value.tsx';
import { newCondition, operatorsOf, readFilter, severalOperators, takesNothing, writeFilter } from './conditions.ts';
import { operatorWords } from './operator-words.ts';
import type { QueryPopoverProps } from './sort-popover.tsx';
import { useViewQuery } from './use-view-query.ts';

const saveAfter = 350;

export const FilterPopover = ({ tableId, view, fields, people, window, disabled }: QueryPopoverProps & { people: readonly BasePerson[] }) => {
  const { setFilter } = useViewQuery(tableId, view, window);
  const saved = readFilter(view.filter as FilterGroup | undefined);
  const [draft, setDraft] = useState<{ conjunction: 'and' | 'or'; conditions: Condition[] } | null>(null);
  const { conjunction, conditions } = draft ?? saved;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const active = saved.conditions.length + saved.groups.length;

  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (next: Partial<{ conjunction: 'and' | 'or'; conditions: Condition[] }>): void => {
    const whole = { conjunction, conditions, ...next };
    setDraft(whole);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void setFilter(writeFilter(whole.conjunction, whole.conditions, saved.groups)), saveAfter);
  };
  const replace = (index: number, condition: Condition): void => change({ conditions: conditions.map((item, place) => (place === index ? condition : item)) });
  const [primary] = fields;

  return (
    <Popover label="Filter" align="end" trigger={<ToolbarButton icon={<ListFilter size={16} aria-hidden />} label={active === 0 ? 'Filter' : `${active} ${active === 1 ? 'filter' : 'filters'}`} active={active > 0} disabled={disabled} />}>
      <div className="flex w-[40rem] max-w-full flex-col gap-2.5">
        {conditions.length === 0 && <p className="text-ink-soft">Everything is shown. Add a condition to see less.</p>}
        {conditions.map((condition, index) => {
          const field = fields.find(({ id }) => id === condition.fieldId);
          if (field === undefined) return null;
          return (
            <div key={index} className="grid grid-cols-[auto_1fr_1fr_auto] items-center gap-2 sm:grid-cols-[6rem_1fr_9rem_1.2fr_auto]">
              {index === 0 ? (
                <span className="pl-1 text-ink-soft">Where</span>
              ) : (
                <SelectField
                  label="Combined by"
                  hideLabel
                  value={conjunction}
                  options={[
                    { value: 'and', label: 'and' },
                    { value: 'or', label: 'or' },
                  ]}
                  onValue={(next) => change({ conjunction: next as 'and' | 'or' })}
                />
              )}
              <SelectField
                label={`Field of condition ${index + 1}`}
                hideLabel
                value={field.id}
                options={fields.map(({ id, name }) => ({ value: id, label: name }))}
                onValue={(id) => {
                  const next = fields.find((candidate) => candidate.id === id);
                  if (next !== undefined) replace(index, newCondition(next));
                }}
              />
              <SelectField
                label={`Operator of condition ${index + 1}`}
                hideLabel
                value={condition.operator}
                options={operatorsOf(field).map((operator) => ({ value: operator, label: operatorWords[operator] }))}
                onValue={(next) => {
                  const operator = next as FilterOperator;
                  const keeps = !takesNothing(operator) && severalOperators.includes(operator) === severalOperators.includes(condition.operator) && (operator === 'isWithIn') === (condition.operator === 'isWithIn');
                  replace(index, { ...condition, operator, value: keeps ? condition.value : null });
                }}
              />
              <div className="max-sm:order-last max-sm:col-span-3">
                <ConditionValue condition={condition} field={field} people={people} onValue={(value) => replace(index, { ...condition, value })} />
              </div>
              <IconButton label={`Remove condition ${index + 1}`} onClick={() => change({ conditions: conditions.filter((_item, place) => place !== index) })}>
                <X size={16} />
              </IconButton>
            </div>
          );
        })}
        {saved.groups.length > 0 && <p className="text-[13px] text-ink-faint">{saved.groups.length} nested groups, made through the API, apply as well.</p>}
        <Button size="small" className="self-start" icon={<Plus size={15} />} onClick={() => primary !== undefined && change({ conditions: [...conditions, newCondition(primary)] })}>
          Add a condition
        </Button>
      </div>
    </Popover>
  );
};
