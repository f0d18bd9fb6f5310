// Which filters a dashboard offers to its readers: each by a name, and a field of each table that it filters.
import type { DashboardFilter } from '@rowhouse/contract/dashboard.ts';
import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import type { Table } from '@rowhouse/contract/table.ts';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { fieldOption } from '../field-type/field-types.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';

interface FiltersDialogProps {
  filters: readonly DashboardFilter[];
  /** Those that charts are made of. */
  tables: readonly { table: Table; fields: readonly Field[] }[];
  onSave: (filters: DashboardFilter[]) => Promise<unknown>;
  onClose: () => void;
}

const most = 20;

const filterable = (fields: readonly Field[]): Field[] =>
  fields.filter((field) => !['file', 'button'].includes(kindOf(field)));

const newId = (): string => crypto.randomUUID().slice(0, 8);

export const FiltersDialog = ({ filters: saved, tables, onSave, onClose }: FiltersDialogProps) => {
  const [filters, setFilters] = useState<readonly DashboardFilter[]>(saved);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const change = (at: number, filter: DashboardFilter): void =>
    setFilters(filters.map((one, place) => (place === at ? filter : one)));
  const nameOf = (tableId: string, fieldId: string): string =>
    tables.find(({ table }) => table.id === tableId)?.fields.find(({ id }) => id === fieldId)?.name ?? '';
  const setField = (at: number, filter: DashboardFilter, tableId: string, fieldId: string): void => {
    const others = filter.fields.filter((one) => one.tableId !== tableId);
    const fields = fieldId === '' ? others : [...others, { tableId, fieldId }];
    const hadOwnName =
      filter.name !== '' && !filter.fields.some((one) => nameOf(one.tableId, one.fieldId) === filter.name);
    change(at, { ...filter, fields, name: hadOwnName || fieldId === '' ? filter.name : nameOf(tableId, fieldId) });
  };
  const complete = filters.filter(({ name, fields }) => name.trim() !== '' && fields.length > 0);
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onSave(complete);
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Filters of the dashboard"
      description="Readers choose values above the charts; each filter narrows every chart of its tables."
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {tables.length === 0 && <p className="text-ink-soft">Add a chart first: filters are about its table.</p>}
        {filters.map((filter, at) => (
          <fieldset key={filter.id} className="flex flex-col gap-2 rounded-xl border border-line p-3">
            <legend className="sr-only">{`Filter ${at + 1}`}</legend>
            <div className="flex items-end gap-2">
              <TextField
                label={`Name of filter ${at + 1}`}
                className="min-w-0 flex-1"
                maxLength={255}
                value={filter.name}
                onChange={(event) => change(at, { ...filter, name: event.target.value })}
              />
              <IconButton
                label={`Remove filter ${filter.name === '' ? at + 1 : filter.name}`}
                onClick={() => setFilters(filters.filter((_one, place) => place !== at))}
              >
                <Trash2 size={16} />
              </IconButton>
            </div>
            <div className="grid gap-2 sm:grid-cols-2">
              {tables.map(({ table, fields }) => (
                <SelectField
                  key={table.id}
                  label={`Field in ${table.name}`}
                  value={filter.fields.find(({ tableId }) => tableId === table.id)?.fieldId ?? ''}
                  options={[{ value: '', label: 'Not filtered' }, ...filterable(fields).map(fieldOption)]}
                  onValue={(fieldId) => setField(at, filter, table.id, fieldId)}
                />
              ))}
            </div>
          </fieldset>
        ))}
        {tables.length > 0 && filters.length < most && (
          <Button
            className="self-start"
            icon={<Plus size={15} />}
            onClick={() => setFilters([...filters, { id: newId(), name: '', fields: [] }])}
          >
            Add a filter
          </Button>
        )}
        <ProblemNote error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={busy} disabled={complete.length < filters.length}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
