// What is calculated of the records of a group, and how its values are written.
import type { Measure } from '@rowhouse/contract/chart.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { Plus, X } from 'lucide-react';
import { fieldOption } from '../../field-type/field-types.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { statisticWords } from '../../view-type/grid/statistic/statistic-words.ts';
import { type ChartStatistic, measurable, statisticsOf } from '../chart-draft.ts';
import { measureName } from '../measure-words.ts';

interface MeasureFieldsProps {
  measures: readonly Measure[];
  fields: readonly Field[];
  /** As many as somebody wants, or one. */
  areSeveral: boolean;
  onChange: (measures: Measure[]) => void;
}

const most = 10;

const firstOf = (field: Field): ChartStatistic => {
  const all = statisticsOf(field);
  return all.includes('sum') ? 'sum' : (all[0] ?? 'filled');
};

const MeasureField = ({
  measure,
  fields,
  place,
  onChange,
  onRemove,
}: {
  measure: Measure;
  fields: readonly Field[];
  /** Empty for the only one. */
  place: string;
  onChange: (measure: Measure) => void;
  onRemove: (() => void) | undefined;
}) => {
  const field = fields.find(({ id }) => id === measure.fieldId);
  const format = measure.format ?? {};
  const named = (label: string): string => (place === '' ? label : `${label} ${place}`);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <SelectField
          label={named('Calculate')}
          className="min-w-0 flex-1"
          value={measure.fieldId ?? ''}
          options={[{ value: '', label: 'Number of records' }, ...measurable(fields).map(fieldOption)]}
          onValue={(id) => {
            const next = fields.find((one) => one.id === id);
            const { label, format: kept } = measure;
            const rest = { ...(label === undefined ? {} : { label }), ...(kept === undefined ? {} : { format: kept }) };
            onChange(
              next === undefined
                ? { statistic: 'count', ...rest }
                : { statistic: firstOf(next), fieldId: next.id, ...rest },
            );
          }}
        />
        {field !== undefined && (
          <SelectField
            label={named('Summarise with')}
            hideLabel
            className="w-36 shrink-0"
            value={measure.statistic}
            options={statisticsOf(field).map((name) => ({ value: name, label: statisticWords[name] }))}
            onValue={(statistic) => onChange({ ...measure, statistic: statistic as ChartStatistic })}
          />
        )}
        {onRemove !== undefined && (
          <IconButton label={`Remove ${measureName(measure, field)}`} onClick={onRemove}>
            <X size={16} />
          </IconButton>
        )}
      </div>
      <details className="rounded-lg border border-line px-3 py-2">
        <summary className="text-[13px] text-ink-soft">Name and unit</summary>
        <div className="mt-2 grid grid-cols-3 gap-2">
          <TextField
            label={named('Name')}
            className="col-span-3"
            maxLength={100}
            placeholder={measureName({ ...measure, label: '' }, field)}
            value={measure.label ?? ''}
            onChange={(event) => onChange({ ...measure, label: event.target.value })}
          />
          <TextField
            label={named('Before')}
            maxLength={20}
            placeholder="€"
            value={format.prefix ?? ''}
            onChange={(event) => onChange({ ...measure, format: { ...format, prefix: event.target.value } })}
          />
          <TextField
            label={named('Unit after')}
            maxLength={20}
            placeholder=" kg"
            value={format.suffix ?? ''}
            onChange={(event) => onChange({ ...measure, format: { ...format, suffix: event.target.value } })}
          />
          <TextField
            label={named('Decimals')}
            type="number"
            min={0}
            max={10}
            value={format.decimals ?? ''}
            onChange={(event) => {
              const { decimals: _decimals, ...rest } = format;
              const decimals = Math.round(Number(event.target.value));
              const isSet = event.target.value !== '' && decimals >= 0 && decimals <= 10;
              onChange({ ...measure, format: isSet ? { ...rest, decimals } : rest });
            }}
          />
        </div>
      </details>
    </div>
  );
};

export const MeasureFields = ({ measures, fields, areSeveral, onChange }: MeasureFieldsProps) => {
  const shown = areSeveral ? measures : measures.slice(0, 1);
  return (
    <div className="flex flex-col gap-3">
      {shown.map((measure, at) => (
        <MeasureField
          key={at}
          measure={measure}
          fields={fields}
          place={shown.length === 1 ? '' : String(at + 1)}
          onChange={(next) => onChange(measures.map((one, place) => (place === at ? next : one)))}
          onRemove={shown.length === 1 ? undefined : () => onChange(measures.filter((_one, place) => place !== at))}
        />
      ))}
      {areSeveral && shown.length < most && (
        <Button
          size="small"
          look="ghost"
          className="self-start"
          icon={<Plus size={15} />}
          onClick={() => onChange([...measures, { statistic: 'count' }])}
        >
          Add another value
        </Button>
      )}
    </div>
  );
};
