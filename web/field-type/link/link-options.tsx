// A link as its field: to which table, one or several on either side, and what the other table gets.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ArrowLeftRight, ArrowRight, Link2, Sheet } from 'lucide-react';
import { Choice } from '../../ui/choice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type LinkOptions as Options, linkOptionsOf } from './linked.ts';
import { fieldsQuery, tablesQuery, viewsQuery } from '../../record-data/queries.ts';
import { LinkPreview } from './link-preview.tsx';
import { relationshipOf, sidesOf } from './relationship.ts';
import { fieldTypeOf } from '../field-types.ts';
import type { FormProps } from '../option/field-form.ts';

const amounts = [
  { value: 'one', label: 'One record' },
  { value: 'several', label: 'Several' },
];

const Side = ({ table, field, holds }: { table: string; field: string | undefined; holds: string }) => (
  <div className="flex min-w-0 flex-1 flex-col overflow-hidden rounded-lg border border-line bg-surface">
    <p className="truncate border-b border-line bg-canvas px-2.5 py-1 text-[12px] font-medium text-ink-soft">{table}</p>
    {field === undefined ? (
      <p className="px-2.5 py-1.5 text-[13px] text-ink-faint">No field</p>
    ) : (
      <div className="px-2.5 py-1.5">
        <p className="flex items-center gap-1.5 truncate text-[13px] font-medium">
          <Link2 size={13} className="shrink-0 text-ink-faint" aria-hidden />
          <span className="truncate">{field}</span>
        </p>
        <p className="truncate text-[12px] text-ink-faint">{holds}</p>
      </div>
    )}
  </div>
);

export const LinkOptions = ({
  tableId,
  field,
  name,
  options,
  otherName,
  issue,
  onOtherName,
  onChange,
  createsMissing,
  onCreatesMissing,
}: FormProps) => {
  const { baseId = '' } = useParams({ strict: false });
  const tables = useQuery(tablesQuery(baseId)).data ?? [];
  const given: Partial<Options> = linkOptionsOf({ options });
  const here = tables.find(({ id }) => id === tableId)?.name ?? 'This table';
  const there = tables.find(({ id }) => id === given.foreignTableId)?.name;
  const views =
    useQuery({ ...viewsQuery(given.foreignTableId ?? ''), enabled: given.foreignTableId !== undefined }).data ?? [];
  const symmetric = useQuery({
    ...fieldsQuery(given.foreignTableId ?? ''),
    enabled: given.foreignTableId !== undefined && given.symmetricFieldId !== undefined,
  }).data?.find(({ id }) => id === given.symmetricFieldId);
  const sides = sidesOf(given.relationship ?? 'manyOne');
  const isOneWay =
    given.isOneWay === true ||
    (field !== undefined && given.isOneWay === undefined && given.symmetricFieldId === undefined);
  const set = (change: Partial<Options>): void =>
    onChange({ ...options, relationship: given.relationship ?? 'manyOne', ...change });
  const isNew = field === undefined || fieldTypeOf(field.type).leadsTo === undefined;
  return (
    <>
      <SelectField
        label="Which table?"
        value={given.foreignTableId ?? ''}
        placeholder="Choose a table…"
        options={tables.map(({ id, name: table }) => ({
          value: id,
          label: id === tableId ? `${table} (this table)` : table,
          icon: Sheet,
        }))}
        error={issue('options.foreignTableId')}
        onValue={(foreignTableId) => {
          const {
            filterByViewId: _view,
            lookupFieldId: _title,
            visibleFieldIds: _fields,
            filter: _filter,
            ...rest
          } = options;
          onChange({ ...rest, relationship: given.relationship ?? 'manyOne', foreignTableId });
        }}
      />
      {there !== undefined && (
        <>
          <div className="flex flex-col gap-1.5">
            <span className="text-[13px] font-medium text-ink-soft">A record of {here} links to</span>
            <div>
              <Choice
                label={`A record of ${here} links to`}
                value={sides.hereSeveral ? 'several' : 'one'}
                options={amounts}
                onValue={(amount) =>
                  set({ relationship: relationshipOf({ ...sides, hereSeveral: amount === 'several' }) })
                }
              />
            </div>
          </div>
          <div className="flex flex-col gap-1.5">
            <span className="text-[13px] font-medium text-ink-soft">A record of {there} is linked from</span>
            <div>
              <Choice
                label={`A record of ${there} is linked from`}
                value={sides.thereSeveral ? 'several' : 'one'}
                options={amounts}
                onValue={(amount) =>
                  set({ relationship: relationshipOf({ ...sides, thereSeveral: amount === 'several' }) })
                }
              />
            </div>
          </div>
          {issue('options.relationship') !== undefined && (
            <p className="text-[13px] text-danger">{issue('options.relationship')}</p>
          )}
          <label className="flex items-center gap-2.5">
            <input
              type="checkbox"
              className="size-4 accent-[var(--accent)]"
              checked={!isOneWay}
              onChange={(event) => set({ isOneWay: !event.target.checked })}
            />
            Show the link in {there} too
          </label>
          {issue('options.isOneWay') !== undefined && (
            <p className="text-[13px] text-danger">{issue('options.isOneWay')}</p>
          )}
          {!isOneWay && isNew && (
            <TextField
              label={`Name of the field in ${there}`}
              maxLength={255}
              placeholder={here}
              value={otherName}
              onChange={(event) => onOtherName(event.target.value)}
            />
          )}
          <div role="group" aria-label="Fields in both tables" className="flex items-stretch gap-2">
            <Side
              table={here}
              field={name.trim() === '' ? there : name.trim()}
              holds={sides.hereSeveral ? `several ${there}` : `one of ${there}`}
            />
            {isOneWay ? (
              <ArrowRight size={16} className="shrink-0 self-center text-ink-faint" aria-hidden />
            ) : (
              <ArrowLeftRight size={16} className="shrink-0 self-center text-ink-faint" aria-hidden />
            )}
            <Side
              table={there}
              field={isOneWay ? undefined : otherName.trim() === '' ? (symmetric?.name ?? here) : otherName.trim()}
              holds={sides.thereSeveral ? `several ${here}` : `one of ${here}`}
            />
          </div>
          <SelectField
            label="Records to choose from"
            value={given.filterByViewId ?? ''}
            options={[
              { value: '', label: `All records of ${there}` },
              ...views.map((view) => ({ value: view.id, label: `Records in the view ${view.name}` })),
            ]}
            error={issue('options.filterByViewId')}
            onValue={(viewId) => set({ filterByViewId: viewId === '' ? null : viewId })}
          />
          {field !== undefined && isNew && (
            <>
              <label className="flex items-center gap-2.5">
                <input
                  type="checkbox"
                  className="size-4 accent-[var(--accent)]"
                  checked={createsMissing}
                  onChange={(event) => onCreatesMissing(event.target.checked)}
                />
                Create missing records in {there}
              </label>
              <LinkPreview
                tableId={tableId}
                field={field}
                options={{ relationship: 'manyOne', ...options }}
                there={there}
                createsMissing={createsMissing}
              />
            </>
          )}
        </>
      )}
    </>
  );
};
