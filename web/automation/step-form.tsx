// What a step does, by its type.
import type { Step, StepOf } from '@rowhouse/contract/automation-definition.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import { fieldOption } from '../field-type/field-types.ts';
import { noFilter } from '../field-type/filter/conditions.ts';
import type { BasePerson } from '../record-data/queries.ts';
import { MultiSelect } from '../ui/multi-select.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { CellValues } from './cell-values.tsx';
import { DraftFilter } from '../field-type/filter/draft-filter.tsx';
import type { FieldsOf, Source } from './sources.ts';
import { stepWords } from './words.ts';
import { ValueField } from './value-field.tsx';

export interface StepFormProps {
  step: Step;
  tables: readonly Table[];
  fieldsOf: FieldsOf;
  people: readonly BasePerson[];
  sources: readonly Source[];
  /** Steps before it that find records. */
  finding: readonly Step[];
  issueAt: (key: string) => string | undefined;
  onChange: (step: Step) => void;
}

/** Which record: one that is known here, or one whose id comes from a field. */
const RecordChoice = ({
  value,
  tableId,
  sources,
  error,
  onValue,
}: {
  value: unknown;
  tableId: string;
  sources: readonly Source[];
  error: string | undefined;
  onValue: (value: unknown) => void;
}) => {
  const fitting = sources.filter((source) => source.tableId === tableId);
  const formula =
    typeof value === 'object' && value !== null && 'formula' in value
      ? String((value as { formula: string }).formula)
      : '';
  const known = fitting.find(({ id }) => formula === `{${id}.recordId}`);
  return (
    <>
      <SelectField
        label="Record"
        value={known?.id ?? (fitting.length === 0 || formula === '' ? 'other' : 'other')}
        options={[
          ...fitting.map(({ id, label }) => ({ value: id, label })),
          { value: 'other', label: 'Another one, from a link or an id' },
        ]}
        error={known === undefined ? undefined : error}
        onValue={(id) => onValue(id === 'other' ? '' : { formula: `{${id}.recordId}` })}
      />
      {known === undefined && (
        <ValueField
          label="Record, from"
          hint="Insert a link field that leads to it, or type its id."
          value={value}
          sources={sources}
          error={error}
          onValue={onValue}
        />
      )}
    </>
  );
};

const TableChoice = ({
  tableId,
  tables,
  error,
  onValue,
}: {
  tableId: string;
  tables: readonly Table[];
  error: string | undefined;
  onValue: (tableId: string) => void;
}) => (
  <SelectField
    label="Table"
    value={tableId}
    options={tables.map(({ id, name }) => ({ value: id, label: name }))}
    error={error}
    onValue={onValue}
  />
);

const units = [
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
];

const WaitForm = ({ step, onChange }: { step: StepOf<'wait'>; onChange: (step: Step) => void }) => {
  const seconds = typeof step.seconds === 'number' ? step.seconds : 3_600;
  const unit = units.findLast(({ value }) => seconds % Number(value) === 0)?.value ?? '60';
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField
        label="For"
        type="number"
        min={1}
        value={String(Math.max(1, Math.round(seconds / Number(unit))))}
        onChange={(event) =>
          onChange({ ...step, seconds: Math.max(1, Math.round(Number(event.target.value))) * Number(unit) })
        }
      />
      <SelectField
        label="Unit"
        value={unit}
        options={units}
        onValue={(next) =>
          onChange({ ...step, seconds: Math.max(1, Math.round(seconds / Number(unit))) * Number(next) })
        }
      />
    </div>
  );
};

const ConditionForm = ({ step, sources, fieldsOf, people, onChange }: StepFormProps & { step: StepOf<'if'> }) => {
  const { condition } = step;
  const looked = sources.filter(({ tableId }) => tableId !== undefined);
  if ('formula' in condition)
    return (
      <TextField
        label="Condition, as a formula"
        value={condition.formula}
        onChange={(event) => onChange({ ...step, condition: { formula: event.target.value } })}
      />
    );
  const source = looked.find(({ id }) => id === condition.of);
  return (
    <>
      <SelectField
        label="Look at"
        value={condition.of}
        options={looked.map(({ id, label }) => ({ value: id, label }))}
        onValue={(of) => onChange({ ...step, condition: { of, filter: noFilter } })}
      />
      {source?.tableId !== undefined && (
        <DraftFilter
          key={`${source.id} ${source.tableId}`}
          label="Condition"
          without="Add a condition."
          filter={condition.filter as FilterGroup}
          fields={fieldsOf(source.tableId)}
          people={people}
          onChange={(filter) => onChange({ ...step, condition: { of: condition.of, filter: filter ?? noFilter } })}
        />
      )}
    </>
  );
};

export const StepForm = (props: StepFormProps) => {
  const { step, tables, fieldsOf, people, sources, finding, issueAt, onChange } = props;
  const value = (label: string, key: string, more: { lines?: boolean; hint?: string; placeholder?: string } = {}) => (
    <ValueField
      label={label}
      value={(step as unknown as Record<string, unknown>)[key]}
      sources={sources}
      error={issueAt(key)}
      {...more}
      onValue={(next) => onChange({ ...step, [key]: next } as Step)}
    />
  );
  const table = 'tableId' in step && (
    <TableChoice
      tableId={step.tableId}
      tables={tables}
      error={issueAt('tableId')}
      onValue={(tableId) =>
        onChange({
          ...step,
          tableId,
          ...('fields' in step ? { fields: {} } : {}),
          ...('filter' in step ? { filter: null } : {}),
        } as Step)
      }
    />
  );
  const cells = 'fields' in step && (
    <CellValues
      fields={fieldsOf(step.tableId)}
      values={step.fields}
      sources={sources}
      people={people}
      errorAt={(id) => issueAt(`fields.${id}`)}
      onChange={(fields) => onChange({ ...step, fields } as Step)}
    />
  );
  const record = 'recordId' in step && (
    <RecordChoice
      value={step.recordId}
      tableId={step.tableId}
      sources={sources}
      error={issueAt('recordId')}
      onValue={(recordId) => onChange({ ...step, recordId } as Step)}
    />
  );
  switch (step.type) {
    case 'createRecord':
      return (
        <>
          {table}
          {cells}
        </>
      );
    case 'updateRecord':
      return (
        <>
          {table}
          {record}
          {cells}
        </>
      );
    case 'deleteRecord':
      return (
        <>
          {table}
          {record}
        </>
      );
    case 'comment':
      return (
        <>
          {table}
          {record}
          {value('Comment', 'text', { lines: true })}
        </>
      );
    case 'upsertRecord':
      return (
        <>
          {table}
          <div className="flex flex-col gap-1.5">
            <span className="text-[13px] font-medium text-ink-soft" aria-hidden>
              Found by
            </span>
            <MultiSelect
              label="Found by"
              values={step.matchFieldIds}
              options={fieldsOf(step.tableId)
                .filter(({ isComputed }) => isComputed !== true)
                .map(fieldOption)}
              onValues={(matchFieldIds) =>
                onChange({ ...step, matchFieldIds: matchFieldIds.filter((id) => id !== '') })
              }
            />
          </div>
          {cells}
        </>
      );
    case 'findRecords':
      return (
        <>
          {table}
          <DraftFilter
            key={step.tableId}
            label="Which records"
            without="All records of the table, at most 100."
            filter={step.filter as FilterGroup | null | undefined}
            fields={fieldsOf(step.tableId)}
            people={people}
            onChange={(filter) => onChange({ ...step, filter } as Step)}
          />
        </>
      );
    case 'if':
      return <ConditionForm {...props} step={step} />;
    case 'forEach':
      return (
        <SelectField
          label="Records found by"
          value={step.of}
          placeholder={finding.length === 0 ? 'Add a step that finds records first' : 'Choose…'}
          options={finding.map((one) => ({
            value: one.id,
            label: one.name ?? `${stepWords[one.type].label} (${one.id})`,
          }))}
          error={issueAt('of')}
          onValue={(of) => onChange({ ...step, of })}
        />
      );
    case 'sendEmail':
      return (
        <>
          {value('To', 'to', { hint: 'Addresses, separated by commas.', placeholder: 'kim@example.com' })}
          {value('Subject', 'subject')}
          {value('Text', 'body', { lines: true })}
        </>
      );
    case 'notify':
      return (
        <>
          <div className="flex flex-col gap-1.5">
            <span className="text-[13px] font-medium text-ink-soft" aria-hidden>
              People
            </span>
            <MultiSelect
              label="People"
              values={Array.isArray(step.userIds) ? step.userIds.map(String) : []}
              options={people.map(({ id, name }) => ({ value: id, label: name }))}
              onValues={(userIds) => onChange({ ...step, userIds })}
            />
            {issueAt('userIds') !== undefined && <p className="text-[13px] text-danger">{issueAt('userIds')}</p>}
          </div>
          {value('Message', 'message', { lines: true })}
        </>
      );
    case 'callUrl':
      return (
        <>
          <SelectField
            label="Method"
            value={step.method}
            options={['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ value: method, label: method }))}
            onValue={(method) => onChange({ ...step, method: method as typeof step.method })}
          />
          {value('Address', 'url', { placeholder: 'https://example.com/orders' })}
          {step.method !== 'GET' && value('Data', 'body', { lines: true, placeholder: '{"name": …}' })}
        </>
      );
    case 'wait':
      return <WaitForm step={step} onChange={onChange} />;
  }
};
