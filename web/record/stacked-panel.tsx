// A record of another table, opened from a link: on top of the record that led there.
import type { Standing } from '../app/standing.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { cellText } from '../field-type/cell-text.ts';
import type { BasePerson } from '../record-data/queries.ts';
import { baseQuery, fieldsQuery, tablesQuery, viewsQuery } from '../record-data/queries.ts';
import { useStandingInTable, useWritableFields } from '../record-data/standing-in-table.ts';
import { useUndoKeys } from '../record-data/undo/use-undo-keys.ts';
import { useTableRecords } from '../record-data/use-table-records.ts';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { PanelFrame } from './panel-frame.tsx';
import { RecordPanel } from './record-panel.tsx';

interface StackedPanelProps {
  baseId: string;
  tableId: string;
  recordId: string;
  people: readonly BasePerson[];
  onBack: () => void;
  onClose: () => void;
  onOpenLinked: (tableId: string, recordId: string) => void;
}

const noFields: never[] = [];

export const StackedPanel = (props: StackedPanelProps) => {
  const fields = useQuery(fieldsQuery(props.tableId));
  const views = useQuery(viewsQuery(props.tableId));
  const [view] = views.data ?? [];
  const allowed = useStandingInTable(useQuery(baseQuery(props.baseId)).data, props.tableId);
  const shown = useWritableFields(fields.data ?? noFields, allowed?.rights);
  if (fields.data === undefined || view === undefined || allowed === undefined) {
    const error = fields.error ?? views.error;
    return (
      <PanelFrame label="Record" onClose={props.onBack}>
        <div className="p-4">{error === null ? <Loading /> : <ProblemNote error={error} />}</div>
      </PanelFrame>
    );
  }
  return <LoadedPanel {...props} role={allowed.standing} fields={shown} view={view} />;
};

const LoadedPanel = ({
  baseId,
  tableId,
  recordId,
  people,
  role,
  fields,
  view,
  onBack,
  onClose,
  onOpenLinked,
}: StackedPanelProps & { role: Standing; fields: readonly Field[]; view: View }) => {
  // As for views of cards: its other records are not read.
  const records = useTableRecords(tableId, { ...view, type: 'gallery' }, fields, cellText);
  useUndoKeys(records.undo);
  const name = useQuery(tablesQuery(baseId)).data?.find(({ id }) => id === tableId)?.name;
  return (
    <RecordPanel
      baseId={baseId}
      tableId={tableId}
      recordId={recordId}
      view={view}
      fields={fields}
      people={people}
      role={role}
      records={records}
      place={name}
      onBack={onBack}
      onClose={onClose}
      onOpen={(next) => onOpenLinked(tableId, next)}
      onOpenLinked={onOpenLinked}
    />
  );
};
