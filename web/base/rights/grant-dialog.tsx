// What a role may in one table: actions, records, fields, and what has to hold afterwards. Several grants are put together.
import { type GrantAction, grantActions, updateAuthorityRole } from '@rowhouse/contract/authority-matrix.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { HiddenField } from '@rowhouse/contract/rights-explained.ts';
import { type Condition, type FilterGroup, isMe } from '@rowhouse/contract/filter.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { type BesidesOf, isGroup, noFilter, writeFilter } from '../../field-type/filter/conditions.ts';
import { FilterGroupEditor } from '../../field-type/filter/filter-group.tsx';
import { type BasePerson, fieldsQuery, peopleQuery } from '../../record-data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FieldGrants } from './field-grants.tsx';
import { actionWords } from './grant-words.ts';
import { useHiddenReasons } from './hidden-reason.ts';
import { PreviewPart } from './preview-part.tsx';
import { type AuthorityRole, type Grant, reloadRights, tablesToSend } from './queries.ts';
import { useReaderValues } from './reader-values.ts';
import { usePreview } from './use-preview.ts';

interface GrantDialogProps {
  baseId: string;
  role: AuthorityRole;
  table: { id: string; name: string };
  isOn: boolean;
  onClose: () => void;
}

/** In a condition: the person who asks, not the one who writes it. */
const me: BasePerson = { id: 'me', name: 'Me (current user)', email: '' };
const everything: Grant = { actions: [...grantActions] };

/** Teable's clients write `Me`. */
const withMe = (filter: FilterGroup): FilterGroup => ({
  ...filter,
  filterSet: filter.filterSet.map((item) => {
    if (isGroup(item)) return withMe(item);
    const { value } = item;
    const one = (part: unknown): unknown => (isMe(part) ? me.id : part);
    return { ...item, value: (Array.isArray(value) ? value.map(one) : one(value)) as Condition['value'] };
  }),
});
const asFilter = (given: Grant['when']): FilterGroup => (given == null ? noFilter : withMe(given as FilterGroup));

interface OneGrantProps {
  grant: Grant;
  label: string;
  fields: readonly Field[];
  people: readonly BasePerson[];
  /** Why a computed field is hidden although it is granted. */
  reasonOf: (field: Field) => string | undefined;
  hiddenFields: readonly HiddenField[] | undefined;
  besidesOf: BesidesOf;
  onChange: (grant: Grant) => void;
  onRemove: (() => void) | undefined;
}

const ConditionPart = ({
  title,
  note,
  filter,
  fields,
  people,
  besidesOf,
  onChange,
}: {
  title: string;
  note: string;
  filter: FilterGroup;
  fields: readonly Field[];
  people: readonly BasePerson[];
  besidesOf: BesidesOf;
  onChange: (filter: FilterGroup) => void;
}) => (
  <div className="flex flex-col gap-2">
    <p className="text-[13px] font-medium text-ink-soft">{title}</p>
    {filter.filterSet.length === 0 && <p className="text-[13px] text-ink-faint">{note}</p>}
    <FilterGroupEditor
      group={filter}
      place=""
      fields={fields}
      people={people}
      besidesOf={besidesOf}
      onChange={onChange}
    />
  </div>
);

const OneGrant = ({
  grant,
  label,
  fields,
  people,
  reasonOf,
  hiddenFields,
  besidesOf,
  onChange,
  onRemove,
}: OneGrantProps) => {
  const toggle = (action: GrantAction): void =>
    onChange({
      ...grant,
      actions: grantActions.filter((one) => grant.actions.includes(one) !== (one === action)),
    });
  const writes = grant.actions.includes('record|create') || grant.actions.includes('record|update');
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 rounded-xl border border-line p-4">
      <legend className="sr-only">{label}</legend>
      <div className="flex items-center justify-between gap-2">
        <p className="font-medium">{label}</p>
        {onRemove !== undefined && (
          <Button size="small" look="ghost" icon={<Trash2 size={15} />} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      <div className="grid grid-cols-2 gap-x-4 gap-y-1.5 sm:grid-cols-3">
        {grantActions.map((action) => (
          <label key={action} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={grant.actions.includes(action)}
              onChange={() => toggle(action)}
            />
            {actionWords[action]}
          </label>
        ))}
      </div>
      <ConditionPart
        title="In these records"
        note="All records. Add a condition to narrow them down; “Me” is the current user."
        filter={asFilter(grant.when)}
        fields={fields}
        people={people}
        besidesOf={besidesOf}
        onChange={(when) => onChange({ ...grant, when })}
      />
      <FieldGrants grant={grant} fields={fields} reasonOf={reasonOf} hiddenFields={hiddenFields} onChange={onChange} />
      {writes && (
        <ConditionPart
          title="Condition after a change"
          note="None. With a condition, changes that would not meet it are refused."
          filter={asFilter(grant.after)}
          fields={fields}
          people={people}
          besidesOf={besidesOf}
          onChange={(after) => onChange({ ...grant, after })}
        />
      )}
      {(asFilter(grant.when).filterSet.length > 0 || asFilter(grant.after).filterSet.length > 0) && (
        <TextField
          label="Message when a change is refused"
          value={grant.memo ?? ''}
          maxLength={300}
          onChange={(event) => onChange({ ...grant, memo: event.target.value })}
        />
      )}
    </fieldset>
  );
};

/** As it is sent: half-written conditions are not kept, as in filters of views. */
const toSend = ({ when, after, memo, ...grant }: Grant): Grant => {
  const [before, afterwards] = [writeFilter(asFilter(when)), writeFilter(asFilter(after))];
  const writes = grant.actions.includes('record|create') || grant.actions.includes('record|update');
  return {
    ...grant,
    ...(before === null ? {} : { when: before }),
    ...(afterwards === null || !writes ? {} : { after: afterwards }),
    ...(memo === undefined || memo.trim() === '' ? {} : { memo: memo.trim() }),
  };
};

export const GrantDialog = ({ baseId, role, table, isOn, onClose }: GrantDialogProps) => {
  const before = role.tables.find(({ tableId }) => tableId === table.id);
  const [grants, setGrants] = useState<Grant[] | null>(before === undefined ? null : (before.grants ?? []));
  const [recordFacts, setRecordFacts] = useState(before?.recordFacts ?? true);
  const fields = useQuery(fieldsQuery(table.id));
  const people = useQuery(peopleQuery(baseId));
  const besidesOf = useReaderValues(baseId);
  const reasonOf = useHiddenReasons({ baseId, role, tableId: table.id, fields: fields.data, grants });
  const tables = tablesToSend(
    role,
    table.id,
    grants === null || grants.length === 0 ? null : { grants: grants.map(toSend), recordFacts },
  );
  const draft = { role: { id: role.id, tables } };
  const preview = usePreview(baseId, draft).data;
  const hiddenFields = preview?.role?.hidden.filter(({ tableId }) => tableId === table.id);
  const save = useMutation({
    mutationFn: () =>
      call(updateAuthorityRole, {
        params: { baseId, authorityMatrixRoleId: role.id },
        body: { name: role.name, tables },
      }),
    onSuccess: async () => {
      await reloadRights(baseId);
      onClose();
    },
  });
  return (
    <Dialog
      open
      wide="beside"
      onClose={onClose}
      title={`${role.name} in ${table.name}`}
      description="What this role allows. The rights of several roles add up."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <div className="flex min-w-0 flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,1fr)_19rem] lg:items-start lg:gap-6">
          <div className="flex min-w-0 flex-col gap-4">
            <div>
              <Choice
                label="The table"
                value={grants === null ? 'hidden' : 'there'}
                options={[
                  { value: 'hidden', label: 'Hidden' },
                  { value: 'there', label: 'Visible' },
                ]}
                onValue={(next) => setGrants(next === 'hidden' ? null : (grants ?? [everything]))}
              />
            </div>
            <ProblemNote error={fields.error ?? people.error ?? save.error} />
            {grants !== null && (fields.isPending || people.isPending) && <Loading />}
            {grants !== null &&
              fields.data !== undefined &&
              grants.map((grant, at) => (
                <OneGrant
                  // biome-ignore lint/suspicious/noArrayIndexKey: grants have no name but their place.
                  key={at}
                  grant={grant}
                  label={grants.length === 1 ? 'Allowed' : `Allowed, ${at + 1}`}
                  fields={fields.data}
                  people={[me, ...(people.data?.users ?? [])]}
                  reasonOf={reasonOf}
                  hiddenFields={hiddenFields}
                  besidesOf={besidesOf}
                  onChange={(next) => setGrants(grants.map((one, index) => (index === at ? next : one)))}
                  onRemove={
                    grants.length === 1 ? undefined : () => setGrants(grants.filter((_one, index) => index !== at))
                  }
                />
              ))}
            {grants !== null && (
              <>
                <label className="flex items-center gap-2">
                  <input
                    type="checkbox"
                    className="size-4 shrink-0 accent-accent"
                    checked={recordFacts}
                    onChange={(event) => setRecordFacts(event.target.checked)}
                  />
                  Show numbers, times and authors of records
                </label>
                <div>
                  <Button
                    size="small"
                    icon={<Plus size={16} />}
                    onClick={() => setGrants([...grants, { actions: ['record|read'] }])}
                  >
                    Allow something else in other records
                  </Button>
                </div>
              </>
            )}
          </div>
          {fields.data !== undefined && (
            <div className="lg:sticky lg:top-0">
              <PreviewPart baseId={baseId} draft={draft} isOn={isOn} />
            </div>
          )}
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
