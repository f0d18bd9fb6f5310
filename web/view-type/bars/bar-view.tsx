// A view of bars for those who work in a table.
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { ChartNoAxesGantt } from 'lucide-react';
import { useMemo, useState } from 'react';
import { allows } from '../../app/standing.ts';
import { fieldOption } from '../../field-type/field-types.ts';
import { useAddRecord } from '../../record-data/use-add-record.ts';
import { useMayChangeView } from '../../record-data/use-may-change-view.ts';
import { MissingField } from '../../ui/empty-state.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { NewDateField } from '../calendar/new-date-field.tsx';
import { UndatedList } from '../calendar/undated-list.tsx';
import { useColumnActions } from '../grid/use-column-actions.ts';
import type { ViewProps } from '../view-type.ts';
import { BarBoard } from './bar-board.tsx';
import { type BarFields, barFieldsOf, madeOf, singleDates, type WhatWaits, whatWaits } from './bar-fields.ts';
import { cellsFor, isWritable } from './bars.ts';
import type { Lane } from './rows.ts';
import type { Span } from './schedule.ts';
import { useBarActs } from './use-bar-acts.ts';
import { useBarRecords } from './use-bar-records.ts';

type BarViewProps = Pick<
  ViewProps,
  'tableId' | 'view' | 'fields' | 'people' | 'role' | 'records' | 'search' | 'onOpen'
> & {
  isRowEach: boolean;
};

const noRecords: readonly RecordVo[] = [];

export const BarView = (props: BarViewProps) => {
  const { tableId, view, fields, role } = props;
  const { setOptions } = useColumnActions(tableId, view, []);
  const mayChange = useMayChangeView(view, role);
  const chosen = useMemo(() => barFieldsOf(view, fields), [view, fields]);
  const waits = useMemo(
    () => whatWaits(view, fields, tableId, props.isRowEach),
    [props.isRowEach, view, fields, tableId],
  );
  if (chosen !== undefined) return <DatedBars {...props} {...waits} chosen={chosen} />;
  const dates = singleDates(fields);
  return (
    <MissingField
      icon={<ChartNoAxesGantt size={20} />}
      title="No date field says when records begin"
      action={
        mayChange && dates.length > 0 ? (
          <SelectField
            label="Records begin"
            className="w-60"
            value=""
            placeholder="Choose a date field"
            options={dates.map(fieldOption)}
            onValue={(startDateFieldId) => setOptions({ startDateFieldId })}
          />
        ) : (
          dates.length === 0 && allows(role, 'field|create') && <NewDateField tableId={tableId} />
        )
      }
    >
      {dates.length === 0
        ? 'Bars stand where that field says. This table has no date field that you see.'
        : 'None is chosen, or the one that was is deleted, no longer a date, or hidden from you.'}
    </MissingField>
  );
};

const DatedBars = ({
  tableId,
  view,
  fields,
  people,
  role,
  records,
  search,
  onOpen,
  isRowEach,
  chosen,
  waiting,
  milestones,
}: BarViewProps & WhatWaits & { chosen: BarFields }) => {
  const [hasUndated, setUndated] = useState(false);
  const addRecord = useAddRecord({ tableId, view, fields, people, records });
  const { start, end, duration, lane } = chosen;
  const found = useBarRecords(tableId, view, fields, madeOf(chosen, waiting, milestones), search);
  const acts = useBarActs(tableId, view.id, chosen, records);
  const mayEdit = allows(role, 'record|update');
  const mayMove = mayEdit && isWritable(start) && (end === undefined || isWritable(end));
  const mayChangeLane = mayEdit && isWritable(lane) && lane.isMultipleCellValue !== true;
  const mayCreate = allows(role, 'record|create') && isWritable(start);

  const laneCells = (to: Lane | undefined): Record<string, unknown> =>
    to === undefined || to.cell == null || !isWritable(lane) ? {} : { [lane.id]: to.cell };
  const create = async (span: Span, to: Lane | undefined): Promise<void> => {
    const cells = cellsFor(chosen, { id: '', fields: {} } as RecordVo, undefined, span).filter(({ field }) =>
      isWritable(field),
    );
    const id = await addRecord({
      ...Object.fromEntries(cells.map(({ field, value }) => [field.id, value])),
      ...laneCells(to),
    });
    if (id !== undefined) onOpen(id);
  };
  if (found.isPending) return <Loading what="Loading records" />;
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
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
          undated={{ isOpen: hasUndated, onToggle: () => setUndated(!hasUndated) }}
          onOpen={onOpen}
          acts={{
            mayMove,
            mayStretch: mayMove && (isWritable(end) || isWritable(duration)),
            mayChangeLane,
            put: (bars, moved, id, to) => void acts.put(bars, moved, id, to),
            create: mayCreate ? (span, to) => void create(span, to) : undefined,
            schedule: mayMove ? (recordId, span, to) => void acts.schedule(recordId, span, to) : undefined,
          }}
        />
      </div>
      {hasUndated && (
        <UndatedList
          tableId={tableId}
          view={view}
          start={start}
          mayMove={mayMove}
          onOpen={onOpen}
          onClear={() => undefined}
          onClose={() => setUndated(false)}
        />
      )}
    </div>
  );
};
