// A shared timeline or Gantt chart: the bars of the app's own, without moving them.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { ChartNoAxesGantt } from 'lucide-react';
import { useMemo } from 'react';
import { MissingField } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { BarBoard, onlySeen } from '../view-type/bars/bar-board.tsx';
import { type BarFields, barFieldsOf, madeOf, whatWaits } from '../view-type/bars/bar-fields.ts';
import { useBarRecords } from '../view-type/bars/use-bar-records.ts';

interface ShareBarsProps {
  tableId: string;
  view: View;
  fields: readonly Field[];
  search: string;
  onOpen: (recordId: string) => void;
}

const noRecords: readonly RecordVo[] = [];

const SharedBars = ({ isRowEach, ...props }: ShareBarsProps & { isRowEach: boolean }) => {
  const chosen = useMemo(() => barFieldsOf(props.view, props.fields), [props.view, props.fields]);
  if (chosen !== undefined) return <Dated {...props} isRowEach={isRowEach} chosen={chosen} />;
  return (
    <MissingField icon={<ChartNoAxesGantt size={20} />} title="No date field says when records begin">
      The owner of the view can choose one.
    </MissingField>
  );
};

const Dated = ({
  tableId,
  view,
  fields,
  search,
  onOpen,
  isRowEach,
  chosen,
}: ShareBarsProps & { isRowEach: boolean; chosen: BarFields }) => {
  const { waiting, milestones } = useMemo(
    () => whatWaits(view, fields, tableId, isRowEach),
    [isRowEach, view, fields, tableId],
  );
  const found = useBarRecords(tableId, view, fields, madeOf(chosen, waiting, milestones), search);
  if (found.isPending) return <Loading what="Loading records" />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="px-4 empty:hidden">
        <ProblemNote error={found.error} />
      </div>
      <BarBoard
        view={view}
        fields={fields}
        chosen={chosen}
        isRowEach={isRowEach}
        waiting={waiting}
        milestones={milestones}
        records={found.data?.records ?? noRecords}
        isReady={found.isSuccess}
        isFull={found.data?.isFull === true}
        undated={undefined}
        onOpen={onOpen}
        acts={onlySeen}
      />
    </div>
  );
};

export const ShareTimeline = (props: ShareBarsProps) => <SharedBars {...props} isRowEach={false} />;
export const ShareGantt = (props: ShareBarsProps) => <SharedBars {...props} isRowEach />;
