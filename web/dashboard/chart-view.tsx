// What a chart shows, whatever it is: a picture, a table, a number, a list, or why there is none.
import type { ChartData } from '@rowhouse/contract/chart-data.ts';
import { ChartNoAxesColumn, TriangleAlert } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import type { Drawing } from '../chart/drawing.ts';
import { isEmptyDrawing, summaryOf } from '../chart/drawing.ts';
import { Spinner } from '../ui/loading.tsx';
import { ChartTable } from './chart-table.tsx';
import { axesOf, drawingOfGroups, drawingOfPoints, type ShownChart } from './drawing-of.ts';
import { NumberView } from './number-view.tsx';
import { pickedIn, type PickedRecords } from './picked.ts';
import { PivotView } from './pivot-view.tsx';
import { problemWords } from './problem-words.ts';
import { RecordList } from './record-list.tsx';

const ChartPicture = lazy(async () => ({ default: (await import('../chart/chart-picture.tsx')).ChartPicture }));

/** Undefined for what is no picture. */
export const drawingOf = (shown: ShownChart, data: ChartData): Drawing | undefined =>
  data.kind === 'groups'
    ? drawingOfGroups(shown, data)
    : data.kind === 'points'
      ? drawingOfPoints(shown, data)
      : undefined;

interface ChartViewProps {
  shown: ShownChart;
  data: ChartData;
  /** The numbers instead of the picture. */
  asTable: boolean;
  onPick: ((picked: PickedRecords) => void) | undefined;
  onOpen: ((tableId: string, recordId: string) => void) | undefined;
  /** Offered where the chart is broken. */
  onMend?: (() => void) | undefined;
}

const Note = ({ icon, title, children }: { icon: ReactNode; title: string; children?: ReactNode }) => (
  <div className="flex h-full flex-col items-center justify-center gap-1.5 overflow-auto p-3 text-center">
    <span className="text-ink-faint" aria-hidden>
      {icon}
    </span>
    <p className="font-medium">{title}</p>
    {children}
  </div>
);

export const Waiting = () => (
  <div className="flex h-full items-center justify-center text-ink-faint" role="status">
    <Spinner />
    <span className="sr-only">Loading the chart</span>
  </div>
);

const Empty = () => (
  <Note icon={<ChartNoAxesColumn size={22} />} title="No data">
    <p className="text-[13px] text-ink-soft">No record matches this chart now.</p>
  </Note>
);

const PictureView = ({ shown, data, asTable, onPick }: ChartViewProps) => {
  const drawing = useMemo(() => drawingOf(shown, data) as Drawing, [shown, data]);
  const axes = useMemo(() => axesOf(shown.look), [shown.look]);
  if (isEmptyDrawing(drawing)) return <Empty />;
  const pick =
    onPick === undefined
      ? undefined
      : (group: number, series: number): void => {
          const picked = pickedIn(data, group, series);
          if (picked !== undefined) onPick(picked);
        };
  return (
    <>
      {!asTable && (
        <div role="img" aria-label={summaryOf(drawing)} className="h-full min-h-0">
          <Suspense fallback={<Waiting />}>
            <ChartPicture
              drawing={drawing}
              axes={axes}
              color={shown.look.color}
              onPick={pick && (({ group, series }) => pick(group, series))}
            />
          </Suspense>
        </div>
      )}
      <ChartTable drawing={drawing} isShown={asTable} onPick={pick} />
    </>
  );
};

export const ChartView = (props: ChartViewProps) => {
  const { shown, data, onPick, onOpen, onMend } = props;
  const pick = (group: number, series: number): void => {
    const picked = pickedIn(data, group, series);
    if (picked !== undefined) onPick?.(picked);
  };
  switch (data.kind) {
    case 'groups':
    case 'points':
      return <PictureView {...props} />;
    case 'number':
      return <NumberView shown={shown} data={data} onPick={onPick && (() => pick(0, 0))} />;
    case 'pivot':
      return data.rows.length === 0 ? <Empty /> : <PivotView shown={shown} data={data} onPick={onPick && pick} />;
    case 'records':
      return data.records.length === 0 ? (
        <Empty />
      ) : (
        <RecordList
          label={shown.name}
          fields={data.fields}
          records={data.records}
          onOpen={onOpen && ((recordId) => onOpen(data.tableId, recordId))}
        />
      );
    case 'broken':
      return (
        <Note icon={<TriangleAlert size={22} className="text-warn" />} title="This chart cannot be shown">
          <ul className="max-w-sm text-[13px] text-ink-soft">
            {data.problems.map((problem, at) => (
              <li key={at}>{problemWords(problem)}</li>
            ))}
          </ul>
          {onMend !== undefined && (
            <button type="button" className="text-[13px] font-medium text-accent underline" onClick={onMend}>
              Edit the chart
            </button>
          )}
        </Note>
      );
    case 'text':
      return null;
  }
};
