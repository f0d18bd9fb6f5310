// What a chart is made of: which records, in which groups, measured how. Each type asks for what it needs.
import type { Field } from '@rowhouse/contract/field.ts';
import type { ReactNode } from 'react';
import { fieldOption } from '../../field-type/field-types.ts';
import { MultiSelect } from '../../ui/multi-select.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type ChartDraft, datesOf, numbersOf, plottable } from '../chart-draft.ts';
import type { DateUnit, Grouping } from '@rowhouse/contract/chart.ts';
import { GroupingField, unitOptions } from './grouping-field.tsx';
import { MeasureFields } from './measure-field.tsx';

interface DataFieldsProps {
  draft: ChartDraft;
  fields: readonly Field[];
  onChange: (part: Partial<ChartDraft>) => void;
}

const GroupingList = ({
  label,
  groupings,
  fields,
  least,
  most,
  onChange,
}: {
  label: string;
  groupings: readonly Grouping[];
  fields: readonly Field[];
  least: number;
  most: number;
  onChange: (groupings: Grouping[]) => void;
}) => {
  const set = (at: number, grouping: Grouping | null): void =>
    onChange(
      grouping === null
        ? groupings.filter((_one, place) => place !== at)
        : at === groupings.length
          ? [...groupings, grouping]
          : groupings.map((one, place) => (place === at ? grouping : one)),
    );
  const shown: (Grouping | null)[] = [...groupings, ...(groupings.length < most ? [null] : [])];
  return (
    <>
      {shown.map((grouping, at) => (
        <GroupingField
          key={at}
          label={at === 0 ? label : `${label}, then`}
          grouping={grouping}
          fields={fields}
          {...(grouping === null || groupings.length > least ? { none: 'None' } : {})}
          onChange={(next) => set(at, next)}
        />
      ))}
    </>
  );
};

const NumberFields = ({ draft, fields, onChange }: DataFieldsProps) => {
  const dates = datesOf(fields);
  return (
    <>
      <MeasureFields
        measures={draft.measures}
        fields={fields}
        areSeveral={false}
        onChange={(measures) => onChange({ measures })}
      />
      {dates.length > 0 && (
        <div className="flex items-end gap-2">
          <SelectField
            label="Trend over"
            className="min-w-0 flex-1"
            value={draft.trend?.fieldId ?? ''}
            options={[{ value: '', label: 'No trend' }, ...dates.map(fieldOption)]}
            onValue={(fieldId) =>
              onChange({ trend: fieldId === '' ? null : { fieldId, by: draft.trend?.by ?? 'month' } })
            }
          />
          {draft.trend !== null && (
            <SelectField
              label="Trend: period"
              hideLabel
              className="w-32 shrink-0"
              value={draft.trend.by}
              options={unitOptions}
              onValue={(by) => draft.trend !== null && onChange({ trend: { ...draft.trend, by: by as DateUnit } })}
            />
          )}
        </div>
      )}
    </>
  );
};

const ScatterFields = ({ draft, fields, onChange }: DataFieldsProps) => {
  const axes = plottable(fields).map(fieldOption);
  if (axes.length < 2)
    return <p className="text-ink-soft">A scatter chart needs two number or date fields. This table has too few.</p>;
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <SelectField label="Across" value={draft.x} options={axes} onValue={(x) => onChange({ x })} />
        <SelectField label="Up" value={draft.y} options={axes} onValue={(y) => onChange({ y })} />
      </div>
      <SelectField
        label="Size of the points"
        value={draft.size ?? ''}
        options={[{ value: '', label: 'All the same' }, ...numbersOf(fields).map(fieldOption)]}
        onValue={(size) => onChange({ size: size === '' ? null : size })}
      />
      <GroupingField
        label="Colour by"
        none="One colour"
        grouping={draft.split}
        fields={fields}
        onChange={(split) => onChange({ split })}
      />
    </>
  );
};

const RecordFields = ({ draft, fields, onChange }: DataFieldsProps) => (
  <>
    <div className="flex flex-col gap-1.5">
      <span className="text-[13px] font-medium text-ink-soft">Fields</span>
      <MultiSelect
        label="Fields"
        placeholder="All fields"
        values={draft.fieldIds}
        options={fields.map(fieldOption)}
        onValues={(fieldIds) => onChange({ fieldIds })}
      />
    </div>
    <div className="flex items-end gap-2">
      <SelectField
        label="Sort by"
        className="min-w-0 flex-1"
        value={draft.sort?.fieldId ?? ''}
        options={[{ value: '', label: 'As in the table or view' }, ...fields.map(fieldOption)]}
        onValue={(fieldId) =>
          onChange({ sort: fieldId === '' ? null : { fieldId, order: draft.sort?.order ?? 'desc' } })
        }
      />
      {draft.sort !== null && (
        <SelectField
          label="Sort direction"
          hideLabel
          className="w-36 shrink-0"
          value={draft.sort.order}
          options={[
            { value: 'asc', label: 'Ascending' },
            { value: 'desc', label: 'Descending' },
          ]}
          onValue={(order) =>
            draft.sort !== null && onChange({ sort: { ...draft.sort, order: order as 'asc' | 'desc' } })
          }
        />
      )}
    </div>
    <TextField
      label="Show at most"
      type="number"
      min={1}
      max={200}
      value={draft.take}
      onChange={(event) => {
        const take = Math.round(Number(event.target.value));
        if (take >= 1 && take <= 200) onChange({ take });
      }}
    />
  </>
);

const GroupedFields = ({ draft, fields, onChange }: DataFieldsProps) => (
  <>
    <GroupingField
      label="Group by"
      hasOrder
      grouping={draft.group.fieldId === '' ? null : draft.group}
      fields={fields}
      onChange={(group) => group !== null && onChange({ group })}
    />
    <MeasureFields
      measures={draft.measures}
      fields={fields}
      areSeveral={draft.type !== 'pie' && draft.split === null}
      onChange={(measures) => onChange({ measures })}
    />
    {draft.type !== 'pie' && (
      <GroupingField
        label="Split by"
        none="No split"
        grouping={draft.split}
        fields={fields}
        onChange={(split) => onChange({ split })}
      />
    )}
  </>
);

export const DataFields = (props: DataFieldsProps): ReactNode => {
  const { draft, fields, onChange } = props;
  switch (draft.type) {
    case 'bar':
    case 'stackedBar':
    case 'line':
    case 'area':
    case 'pie':
      return <GroupedFields {...props} />;
    case 'number':
      return <NumberFields {...props} />;
    case 'scatter':
      return <ScatterFields {...props} />;
    case 'records':
      return <RecordFields {...props} />;
    case 'heatMap':
    case 'pivot': {
      const most = draft.type === 'pivot' ? { rows: 3, columns: 2 } : { rows: 1, columns: 1 };
      return (
        <>
          <GroupingList
            label="Rows"
            groupings={draft.rows.slice(0, most.rows)}
            fields={fields}
            least={1}
            most={most.rows}
            onChange={(rows) => onChange({ rows })}
          />
          <GroupingList
            label="Columns"
            groupings={draft.columns.slice(0, most.columns)}
            fields={fields}
            least={draft.type === 'heatMap' ? 1 : 0}
            most={most.columns}
            onChange={(columns) => onChange({ columns })}
          />
          <MeasureFields
            measures={draft.measures}
            fields={fields}
            areSeveral={draft.type === 'pivot'}
            onChange={(measures) => onChange({ measures })}
          />
        </>
      );
    }
    case 'text':
      return null;
  }
};
