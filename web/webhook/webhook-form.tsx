// What a webhook tells and where to: for a new one, and for one that is changed.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { fieldOption } from '../field-type/field-types.ts';
import { FilterBox } from '../field-type/filter/filter-box.tsx';
import { fieldsQuery, peopleQuery, tablesQuery, viewsQuery } from '../record-data/queries.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { CheckGroup } from '../ui/check-group.tsx';
import { Choice } from '../ui/choice.tsx';
import { MultiSelect } from '../ui/multi-select.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { isOfRecords, isOfView, isReady, type WebhookDraft, withTables } from './webhook-draft.ts';
import { eventNames, eventWords } from './webhook-words.ts';
import type { WebhookEvent } from '@rowhouse/contract/webhook.ts';

interface PartProps {
  baseId: string;
  draft: WebhookDraft;
  set: (part: Partial<WebhookDraft>) => void;
}

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-col gap-1.5">
    <span className="text-[13px] font-medium text-ink-soft" aria-hidden>
      {label}
    </span>
    {children}
  </div>
);

/** Fields, view and conditions of the one table that is chosen. */
const OfTable = ({ baseId, draft, set, tableId }: PartProps & { tableId: string }) => {
  const fields = useQuery(fieldsQuery(tableId)).data ?? [];
  const views = useQuery({ ...viewsQuery(tableId), enabled: isOfView(draft) }).data ?? [];
  const people = useQuery(peopleQuery(baseId)).data?.users ?? [];
  return (
    <>
      {isOfView(draft) && (
        <SelectField
          label="View"
          value={draft.viewId}
          options={views.map(({ id, name }) => ({ value: id, label: name }))}
          onValue={(viewId) => set({ viewId })}
        />
      )}
      {draft.events.includes('record.updated') && (
        <Labelled label="Fields to watch for updates">
          <MultiSelect
            label="Fields to watch for updates"
            placeholder="All fields"
            values={draft.fieldIds}
            options={fields.map(fieldOption)}
            onValues={(fieldIds) => set({ fieldIds })}
          />
        </Labelled>
      )}
      {isOfRecords(draft) && (
        <>
          <FilterBox
            label="The record before the change"
            without="Any values. Add a condition to send only records that met it before the change."
            filter={draft.before}
            fields={fields}
            people={people}
            onChange={(before) => set({ before })}
          />
          <FilterBox
            label="The record after the change"
            without="Any values. Add a condition to send only records that meet it after the change."
            filter={draft.after}
            fields={fields}
            people={people}
            onChange={(after) => set({ after })}
          />
        </>
      )}
    </>
  );
};

interface WebhookFormProps {
  baseId: string;
  initial: WebhookDraft;
  action: string;
  busy: boolean;
  error: unknown;
  onSubmit: (draft: WebhookDraft) => void;
}

export const WebhookForm = ({ baseId, initial, action, busy, error, onSubmit }: WebhookFormProps) => {
  const [draft, setDraft] = useState(initial);
  const tables = useQuery(tablesQuery(baseId)).data ?? [];
  const set = (part: Partial<WebhookDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const only = draft.tableIds.length === 1 ? draft.tableIds[0] : undefined;
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(draft);
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          required
          maxLength={100}
          placeholder="Orders to the warehouse"
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <TextField
          label="Address"
          type="url"
          required
          maxLength={2_000}
          placeholder="https://example.com/hook"
          value={draft.url}
          onChange={(event) => set({ url: event.target.value })}
        />
      </div>
      <CheckGroup
        label="Events"
        values={draft.events}
        options={eventNames.map((value) => ({ value, ...eventWords[value] }))}
        onValues={(events) => set({ events: events as WebhookEvent[] })}
      />
      <Labelled label="Tables">
        <MultiSelect
          label="Tables"
          placeholder="All tables of the base"
          values={draft.tableIds}
          options={tables.map(({ id, name }) => ({ value: id, label: name }))}
          onValues={(tableIds) => setDraft((before) => withTables(before, tableIds))}
        />
      </Labelled>
      {only === undefined ? (
        <p className={isOfView(draft) ? 'text-[13px] text-warn' : 'text-[13px] text-ink-faint'}>
          {isOfView(draft)
            ? 'A view belongs to one table: choose that table.'
            : 'Choose one table to watch some of its fields or to add conditions.'}
        </p>
      ) : (
        <OfTable key={only} baseId={baseId} draft={draft} set={set} tableId={only} />
      )}
      <CheckField
        label="Include cell values"
        hint="Otherwise events name only the record and the changed fields."
        checked={draft.withValues}
        onChecked={(withValues) => set({ withValues })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <span className="text-ink-soft">Name cells by</span>
        <Choice
          label="Name cells by"
          value={draft.fieldKeyType}
          options={[
            { value: 'name', label: 'the name of the field' },
            { value: 'id', label: 'its id' },
          ]}
          onValue={(key) => set({ fieldKeyType: key as WebhookDraft['fieldKeyType'] })}
        />
      </div>
      <ProblemNote error={error} />
      <Button look="primary" type="submit" className="self-start" busy={busy} disabled={!isReady(draft)}>
        {action}
      </Button>
    </form>
  );
};
