import type { ColorRule } from '@rowhouse/contract/color-rule.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { X } from 'lucide-react';
import { choiceColor } from '../../field-type/cell/choice-color.ts';
import { fieldOption } from '../../field-type/field-types.ts';
import { FilterGroupEditor } from '../../field-type/filter/filter-group.tsx';
import type { BasePerson } from '../../record-data/queries.ts';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { MultiSelect } from '../../ui/multi-select.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import { changedTo, choiceFields, filterOf, hues, scaleFields } from './color-rules.ts';

interface RuleEditorProps {
  number: number;
  rule: ColorRule;
  fields: readonly Field[];
  people: readonly BasePerson[];
  disabled: boolean;
  onChange: (rule: ColorRule) => void;
  onRemove: () => void;
}

const Swatches = ({ value, onValue }: { value: string | undefined; onValue: (hue: (typeof hues)[number]) => void }) => (
  <div role="radiogroup" aria-label="Colour" className="flex flex-wrap gap-1.5">
    {hues.map((hue) => (
      <button
        key={hue}
        type="button"
        role="radio"
        aria-checked={value === hue}
        aria-label={hue}
        title={hue}
        className={classNames(
          'size-6 rounded-full border border-line',
          value === hue && 'ring-2 ring-accent ring-offset-2 ring-offset-surface',
        )}
        style={{ background: choiceColor(`${hue}Bright`).background }}
        onClick={() => onValue(hue)}
      />
    ))}
  </div>
);

const Limit = ({ label, value, onValue }: { label: string; value: number; onValue: (value: number) => void }) => (
  <label className="flex items-center gap-1.5 text-ink-soft">
    {label}
    <input
      type="number"
      className={classNames(inputClass, 'w-28')}
      value={value}
      onChange={({ target }) => Number.isFinite(target.valueAsNumber) && onValue(target.valueAsNumber)}
    />
  </label>
);

export const RuleEditor = ({ number, rule, fields, people, disabled, onChange, onRemove }: RuleEditorProps) => {
  const { on, by, fieldId = '', fieldIds = [], color, min = 0, max = 100 } = rule;
  const ways = [
    { value: 'condition', label: 'by conditions' },
    ...(choiceFields(fields).length > 0 ? [{ value: 'choice', label: 'by a choice' }] : []),
    ...(scaleFields(fields).length > 0 ? [{ value: 'scale', label: 'as a heat map' }] : []),
  ];
  const setTarget = (next: string): void => {
    const { fieldIds: _before, ...rest } = rule;
    onChange(
      next === 'row'
        ? { ...rest, on: 'row' }
        : { ...rest, on: 'cells', fieldIds: fields.slice(0, 1).map(({ id }) => id) },
    );
  };
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-2.5 rounded-lg border border-line p-3">
      <legend className="sr-only">Rule {number}</legend>
      <div className="flex flex-wrap items-center gap-2">
        {by !== 'scale' && (
          <SelectField
            label="What is coloured"
            hideLabel
            className="w-32"
            value={on}
            options={[
              { value: 'row', label: 'Records' },
              { value: 'cells', label: 'Cells' },
            ]}
            onValue={setTarget}
          />
        )}
        <SelectField
          label="How it is coloured"
          hideLabel
          className="w-56"
          value={by}
          options={ways}
          onValue={(next) => onChange(changedTo(rule, next as ColorRule['by'], fields))}
        />
        {by !== 'condition' && (
          <SelectField
            label="Field"
            hideLabel
            className="w-44"
            value={fieldId}
            options={(by === 'choice' ? choiceFields(fields) : scaleFields(fields)).map(fieldOption)}
            onValue={(id) => onChange({ ...rule, fieldId: id })}
          />
        )}
        <IconButton label={`Remove rule ${number}`} className="ml-auto" onClick={onRemove}>
          <X size={15} />
        </IconButton>
      </div>
      {on === 'cells' && by !== 'scale' && (
        <MultiSelect
          label="Whose cells"
          values={fieldIds}
          options={fields.map(fieldOption)}
          onValues={(ids) => onChange({ ...rule, fieldIds: ids })}
        />
      )}
      {by !== 'choice' && <Swatches value={color} onValue={(hue) => onChange({ ...rule, color: hue })} />}
      {by === 'scale' && (
        <div className="flex flex-wrap gap-3">
          <Limit label="From" value={min} onValue={(value) => onChange({ ...rule, min: value })} />
          <Limit label="to" value={max} onValue={(value) => onChange({ ...rule, max: value })} />
        </div>
      )}
      {by === 'condition' && (
        <FilterGroupEditor
          group={filterOf(rule)}
          place=""
          fields={fields}
          people={people}
          onChange={(filter) => onChange({ ...rule, filter: filter as never })}
        />
      )}
    </fieldset>
  );
};
