// What starts an automation.
import { type Trigger, type TriggerType, triggerTypes } from '@rowhouse/contract/automation-definition.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { useQuery } from '@tanstack/react-query';
import { fieldOption, fieldTypeOf } from '../field-type/field-types.ts';
import { noFilter } from '../field-type/filter/conditions.ts';
import { type BasePerson, viewsQuery } from '../record-data/queries.ts';
import { MultiSelect } from '../ui/multi-select.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { Table } from '@rowhouse/contract/table.ts';
import { DraftFilter } from '../field-type/filter/draft-filter.tsx';
import { IncomingAddress } from './incoming-address.tsx';
import { cronOf, readCron, type Rhythm, weekdayNames, weekdays } from './schedule.ts';
import type { FieldsOf } from './sources.ts';
import { newTrigger } from './steps.ts';
import { triggerWords } from './words.ts';

interface TriggerFormProps {
  baseId: string;
  automationId: string;
  trigger: Trigger | null;
  tables: readonly Table[];
  fieldsOf: FieldsOf;
  people: readonly BasePerson[];
  onChange: (trigger: Trigger) => void;
}

type OfType<T extends TriggerType> = Extract<Trigger, { type: T }>;

const ScheduleForm = ({ trigger, onChange }: { trigger: OfType<'schedule'>; onChange: (trigger: Trigger) => void }) => {
  const schedule = readCron(trigger.cron);
  const set = (part: Partial<typeof schedule>): void =>
    onChange({ ...trigger, cron: cronOf({ ...schedule, ...part }) });
  return (
    <>
      <SelectField
        label="How often"
        value={schedule.rhythm}
        options={[
          { value: 'hour', label: 'Every hour' },
          { value: 'day', label: 'Every day' },
          { value: 'week', label: 'Every week' },
          { value: 'month', label: 'Every month' },
          { value: 'own', label: 'Custom' },
        ]}
        onValue={(rhythm) =>
          set({
            rhythm: rhythm as Rhythm,
            ...(rhythm === 'own' ? { cron: `${trigger.cron.replace(/^0 /, '00 ')}` } : {}),
          })
        }
      />
      {schedule.rhythm === 'week' && (
        <div className="flex flex-col gap-1.5">
          <span className="text-[13px] font-medium text-ink-soft" aria-hidden>
            On
          </span>
          <MultiSelect
            label="On"
            values={schedule.days}
            options={weekdays.map((value) => ({ value, label: weekdayNames[value] as string }))}
            onValues={(days) => days.length > 0 && set({ days })}
          />
        </div>
      )}
      {schedule.rhythm === 'month' && (
        <TextField
          label="Day of the month"
          type="number"
          min={1}
          max={31}
          value={String(schedule.dayOfMonth)}
          onChange={(event) => set({ dayOfMonth: Math.min(31, Math.max(1, Math.round(Number(event.target.value)))) })}
        />
      )}
      {schedule.rhythm === 'own' ? (
        <TextField
          label="Minute, hour, day of the month, month, weekday"
          value={trigger.cron}
          onChange={(event) => onChange({ ...trigger, cron: event.target.value })}
        />
      ) : (
        <TextField
          label={schedule.rhythm === 'hour' ? 'At minute of' : 'At'}
          type="time"
          value={schedule.time}
          onChange={(event) => event.target.value !== '' && set({ time: event.target.value })}
        />
      )}
      <p className="text-[13px] text-ink-faint">Time zone: {trigger.timeZone}</p>
    </>
  );
};

const ViewChoice = ({
  trigger,
  onChange,
}: {
  trigger: OfType<'viewEntered' | 'formSubmitted'>;
  onChange: (trigger: Trigger) => void;
}) => {
  const views = useQuery({ ...viewsQuery(trigger.tableId), enabled: trigger.tableId !== '' }).data ?? [];
  const isForm = trigger.type === 'formSubmitted';
  return (
    <SelectField
      label={isForm ? 'Form' : 'View'}
      value={trigger.viewId}
      options={views
        .filter((view) => (view.type === 'form') === isForm)
        .map(({ id, name }) => ({ value: id, label: name }))}
      onValue={(viewId) => onChange({ ...trigger, viewId })}
    />
  );
};

const DateForm = ({
  trigger,
  fieldsOf,
  onChange,
}: {
  trigger: OfType<'dateReached'>;
  fieldsOf: FieldsOf;
  onChange: (trigger: Trigger) => void;
}) => (
  <>
    <SelectField
      label="Date"
      value={trigger.fieldId}
      options={fieldsOf(trigger.tableId)
        .filter(
          ({ cellValueType, isMultipleCellValue }) => cellValueType === 'dateTime' && isMultipleCellValue !== true,
        )
        .map(fieldOption)}
      onValue={(fieldId) => onChange({ ...trigger, fieldId })}
    />
    <div className="grid grid-cols-2 gap-3">
      <TextField
        label="Days after it"
        hint="Negative: before the date."
        type="number"
        value={String(trigger.days)}
        onChange={(event) => onChange({ ...trigger, days: Math.round(Number(event.target.value)) })}
      />
      <TextField
        label="At"
        type="time"
        value={trigger.time}
        onChange={(event) => event.target.value !== '' && onChange({ ...trigger, time: event.target.value })}
      />
    </div>
  </>
);

const fieldChoice = (trigger: Trigger): string | undefined =>
  trigger.type === 'recordUpdated'
    ? 'Only when one of these changes'
    : trigger.type === 'buttonPressed'
      ? 'Button'
      : undefined;

export const TriggerForm = ({
  baseId,
  automationId,
  trigger,
  tables,
  fieldsOf,
  people,
  onChange,
}: TriggerFormProps) => {
  const tableId = trigger !== null && 'tableId' in trigger ? trigger.tableId : (tables[0]?.id ?? '');
  const words = trigger === null ? undefined : fieldChoice(trigger);
  const fields = fieldsOf(tableId);
  const watched = trigger !== null && 'fieldIds' in trigger ? (trigger.fieldIds ?? []) : [];
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label="What starts it"
        value={trigger?.type ?? ''}
        options={triggerTypes.map((value) => ({ value, ...triggerWords[value] }))}
        onValue={(type) => onChange(newTrigger(type as TriggerType, tableId))}
      />
      {trigger !== null && 'tableId' in trigger && (
        <SelectField
          label="Table"
          value={trigger.tableId}
          options={tables.map(({ id, name }) => ({ value: id, label: name }))}
          onValue={(id) => onChange(newTrigger(trigger.type, id))}
        />
      )}
      {words !== undefined && trigger !== null && (
        <div className="flex flex-col gap-1.5">
          <span className="text-[13px] font-medium text-ink-soft" aria-hidden>
            {words}
          </span>
          <MultiSelect
            label={words}
            placeholder={trigger.type === 'buttonPressed' ? 'Any button of the table' : 'Any field'}
            values={watched}
            options={fields
              .filter((field) => (fieldTypeOf(field.type).isPressed === true) === (trigger.type === 'buttonPressed'))
              .map(fieldOption)}
            onValues={(fieldIds) =>
              onChange({ ...trigger, fieldIds: fieldIds.length === 0 ? null : fieldIds } as Trigger)
            }
          />
        </div>
      )}
      {(trigger?.type === 'viewEntered' || trigger?.type === 'formSubmitted') && (
        <ViewChoice trigger={trigger} onChange={onChange} />
      )}
      {trigger?.type === 'schedule' && <ScheduleForm trigger={trigger} onChange={onChange} />}
      {trigger?.type === 'dateReached' && <DateForm trigger={trigger} fieldsOf={fieldsOf} onChange={onChange} />}
      {trigger?.type === 'incomingCall' && <IncomingAddress baseId={baseId} automationId={automationId} />}
      {trigger !== null &&
        ['recordCreated', 'recordUpdated', 'recordMatches', 'buttonPressed', 'dateReached'].includes(trigger.type) && (
          <TriggerFilter
            trigger={trigger as OfType<'recordCreated'>}
            fields={fields}
            people={people}
            onChange={onChange}
          />
        )}
    </div>
  );
};

/** Conditions that are not complete yet stay here, and are sent once they are. */
const TriggerFilter = ({
  trigger,
  fields,
  people,
  onChange,
}: {
  trigger: OfType<'recordCreated' | 'recordMatches'>;
  fields: ReturnType<FieldsOf>;
  people: readonly BasePerson[];
  onChange: (trigger: Trigger) => void;
}) => (
  <DraftFilter
    key={`${trigger.type} ${trigger.tableId}`}
    label={trigger.type === 'recordMatches' ? 'Condition' : 'Only if the record meets'}
    without={
      trigger.type === 'recordMatches' ? 'Add the condition that it begins to meet.' : 'It starts for every record.'
    }
    filter={trigger.filter as FilterGroup | null | undefined}
    fields={fields}
    people={people}
    onChange={(filter) =>
      onChange({ ...trigger, filter: trigger.type === 'recordMatches' ? (filter ?? noFilter) : filter } as Trigger)
    }
  />
);
