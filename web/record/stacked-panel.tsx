// A record of another table, opened from a link: on top of the record that led there.
import type { Role } from '@rowhouse/contract/permission.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { cellText } from '../field-type/cell-text.ts';
import type { BasePerson } from '../record-data/queries.ts';
import { fieldsQuery, tablesQuery, viewsQuery } from '../record-data/queries.ts';
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
  role: Role;
  onBack: () => void;
  onClose: () => void;
  onOpenLinked: (tableId: string, recordId: string) => void;
}

export const StackedPanel = (props: StackedPanelProps) => {
  const fields = useQuery(fieldsQuery(props.tableId));
  const views = useQuery(viewsQuery(props.tableId));
  const [view] = views.data ?? [];
  if (fields.data === undefined || view === undefined) {
    const error = fields.error ?? views.error;
    return (
      <PanelFrame label="Record" onClose={props.onBack}>
        <div className="p-4">{error === null ? <Loading /> : <ProblemNote error={error} />}</div>
      </PanelFrame>
    );
  }
  return <LoadedPanel {...props} fields={fields.data} view={view} />;
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
}: StackedPanelProps & { fields: readonly Field[]; view: View }) => {
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
