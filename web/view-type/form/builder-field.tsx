// One field in the form builder: how it is asked for.
import type { Field } from '@rowhouse/contract/field.ts';
import type { FormColumn } from '@rowhouse/contract/form.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, GitBranch, GripVertical, X } from 'lucide-react';
import { type HTMLAttributes, useId, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { fieldTypeOf } from '../../field-type/field-types.ts';
import { countConditions, noFilter, writeFilter } from '../../field-type/filter/conditions.ts';
import { FilterGroupEditor } from '../../field-type/filter/filter-group.tsx';
import { DefaultCell } from './default-cell.tsx';
import { SavedText } from './saved-text.tsx';

interface BuilderFieldProps {
  field: Field;
  column: FormColumn;
  /** Those above it in the form: conditions can look at them. */
  above: readonly Field[];
  people: readonly BasePerson[];
  /** For the whole of it and for what it is dragged by. */
  item: HTMLAttributes<HTMLElement>;
  handle: HTMLAttributes<HTMLElement>;
  onColumn: (change: Partial<FormColumn>) => void;
  onMove: ((by: -1 | 1) => void) | undefined;
  isFirst: boolean;
  isLast: boolean;
}

const conditionFields = (filter: FilterGroup | null | undefined): string[] =>
  (filter?.filterSet ?? []).flatMap((item) => ('filterSet' in item ? conditionFields(item) : [item.fieldId]));

export const BuilderField = ({
  field,
  column,
  above,
  people,
  item,
  handle,
  isFirst,
  isLast,
  onColumn,
  onMove,
}: BuilderFieldProps) => {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState<FilterGroup>();
  const condition = draft ?? column.condition ?? noFilter;
  const isConditional = countConditions(column.condition ?? noFilter) > 0;
  const looksBelow = conditionFields(column.condition).some((fieldId) => !above.some((other) => other.id === fieldId));
  /** What others have changed meanwhile is seen the next time. */
  const toggle = (): void => {
    setOpen(!isOpen);
    setDraft(undefined);
  };
  const { icon: Icon, label: typeName } = fieldTypeOf(field.type);
  const isRequired = field.notNull === true || column.required === true;
  return (
    <li {...item} className="py-1" aria-label={field.name}>
      <div
        className={classNames(
          'rounded-xl border bg-surface',
          isOpen ? 'border-line-strong shadow-card' : 'border-line',
        )}
      >
        <div className="flex items-center gap-1 p-1.5">
          <span
            {...handle}
            title="Drag to move, or press Alt, Shift and an arrow key"
            className="cursor-grab rounded p-1 text-ink-faint hover:bg-sunken active:cursor-grabbing"
          >
            <GripVertical size={16} aria-hidden />
          </span>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={toggle}
            className="flex min-w-0 flex-1 items-center gap-2 rounded-lg px-1 py-1.5 text-left hover:bg-sunken"
          >
            <Icon size={15} className="shrink-0 text-ink-faint" aria-label={typeName} />
            <span className="min-w-0 truncate font-medium">{column.title || field.name}</span>
            {isRequired && <span className="shrink-0 text-[12px] text-ink-faint">Required</span>}
            {isConditional && <GitBranch size={14} className="shrink-0 text-accent" aria-label="Shown conditionally" />}
            <span className="flex-1" />
            {isOpen ? (
              <ChevronDown size={15} className="shrink-0 text-ink-faint" aria-hidden />
            ) : (
              <ChevronRight size={15} className="shrink-0 text-ink-faint" aria-hidden />
            )}
          </button>
          <IconButton label={`Move ${field.name} up`} disabled={isFirst} onClick={() => onMove?.(-1)}>
            <ArrowUp size={15} />
          </IconButton>
          <IconButton label={`Move ${field.name} down`} disabled={isLast} onClick={() => onMove?.(1)}>
            <ArrowDown size={15} />
          </IconButton>
          <IconButton label={`Remove ${field.name} from the form`} onClick={() => onColumn({ visible: false })}>
            <X size={16} />
          </IconButton>
        </div>
        {isOpen && (
          <div className="flex flex-col gap-4 border-t border-line p-3 sm:p-4">
            <div className="flex flex-col gap-1.5">
              <label htmlFor={`${id}-title`} className="text-[13px] font-medium text-ink-soft">
                Question
              </label>
              <SavedText
                id={`${id}-title`}
                label="Question"
                maxLength={1_000}
                placeholder={field.name}
                value={column.title ?? ''}
                onSave={(title) => onColumn({ title: title === '' ? null : title })}
              />
            </div>
            <div className="flex flex-col gap-1.5">
              <label htmlFor={`${id}-help`} className="text-[13px] font-medium text-ink-soft">
                Help text
              </label>
              <SavedText
                id={`${id}-help`}
                label="Help text"
                multiline
                maxLength={10_000}
                placeholder={field.description ?? 'Shown below the question'}
                value={column.help ?? ''}
                onSave={(help) => onColumn({ help: help === '' ? null : help })}
              />
            </div>
            <div className="flex items-center gap-2.5">
              <input
                id={`${id}-required`}
                type="checkbox"
                checked={isRequired}
                disabled={field.notNull === true}
                onChange={(event) => onColumn({ required: event.target.checked })}
              />
              <label htmlFor={`${id}-required`}>Required</label>
              {field.notNull === true && (
                <span className="text-[12px] text-ink-faint">The field itself must not be empty</span>
              )}
            </div>
            <DefaultCell
              field={field}
              value={column.defaultValue}
              onSave={(defaultValue) => onColumn({ defaultValue })}
            />
            <div role="group" aria-label={`Condition of ${field.name}`} className="flex flex-col gap-2">
              <p className="text-[13px] font-medium text-ink-soft">Show this field</p>
              {looksBelow && (
                <p className="rounded-lg bg-warn-soft px-2.5 py-1.5 text-[13px] text-warn">
                  The condition uses a field that is not above this one. That field counts as empty.
                </p>
              )}
              {above.length === 0 && !isConditional ? (
                <p className="text-[13px] text-ink-faint">
                  Always. Fields further down can depend on the answers above them.
                </p>
              ) : (
                <>
                  {condition.filterSet.length === 0 && <p className="text-[13px] text-ink-faint">Always</p>}
                  <FilterGroupEditor
                    group={condition}
                    place=""
                    fields={above}
                    people={people}
                    onChange={(next) => {
                      setDraft(next);
                      onColumn({ condition: writeFilter(next) });
                    }}
                  />
                </>
              )}
            </div>
          </div>
        )}
      </div>
    </li>
  );
};
