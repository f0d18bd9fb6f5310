// Bars with their tools, for those who work in a table and for visitors of a share; what somebody may do is said by which acts there are.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { dayLength } from '@rowhouse/contract/working-days.ts';
import { wallOf } from '@rowhouse/contract/zone.ts';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { cardName } from '../../field-type/cell/card-fields.tsx';
import { solidTint, useColors } from '../../field-type/cell/record-colors.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { useTheme } from '../../ui/use-theme.ts';
import { showProblem, showToast } from '../../ui/toast.ts';
import { BarCanvas } from './bar-canvas.tsx';
import type { BarFields, WhatWaits } from './bar-fields.ts';
import { BarToolbar } from './bar-toolbar.tsx';
import { type Bar, barsOf, showsDays, zoneOf } from './bars.ts';
import { BarNotices } from './bar-notices.tsx';
import { dependenciesOf, movedWith, noDependencies } from './dependencies.ts';
import { barTheme } from './draw-parts.ts';
import { savePicture } from './picture.ts';
import { type Lane, rowsOf } from './rows.ts';
import { levelOf } from './scale.ts';
import type { Span } from './schedule.ts';
import { useTimePort } from './use-time-port.ts';

interface BarActs {
  mayMove: boolean;
  mayStretch: boolean;
  mayChangeLane: boolean;
  put: (bars: ReadonlyMap<string, Bar>, moved: ReadonlyMap<string, Span>, id: string, lane: Lane | undefined) => void;
  /** Absent: nobody may. */
  create?: ((span: Span, lane: Lane | undefined) => void) | undefined;
  schedule?: ((recordId: string, span: Span, lane: Lane | undefined) => void) | undefined;
}

export const onlySeen: BarActs = {
  mayMove: false,
  mayStretch: false,
  mayChangeLane: false,
  put: () => undefined,
};

interface BarBoardProps extends WhatWaits {
  view: View;
  fields: readonly Field[];
  chosen: BarFields;
  /** Of a Gantt chart: each record has a row, and waits for others. */
  isRowEach: boolean;
  records: readonly RecordVo[];
  isReady: boolean;
  isFull: boolean;
  acts: BarActs;
  undated: { isOpen: boolean; onToggle: () => void } | undefined;
  onOpen: (recordId: string) => void;
  children?: ReactNode;
}

const sideWidth = 224;
const minute = 60_000;

const useNow = (zone: string): number => {
  const [instant, setInstant] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setInstant(Date.now()), minute);
    return () => clearInterval(timer);
  }, []);
  return wallOf(instant, zone);
};

export const BarBoard = ({
  view,
  fields,
  chosen,
  isRowEach,
  waiting,
  milestones,
  records,
  isReady,
  isFull,
  acts,
  undated,
  onOpen,
  children,
}: BarBoardProps) => {
  const { start, lane, works } = chosen;
  const byDay = showsDays(start);
  const now = useNow(zoneOf(start));
  const themeName = useTheme();
  const isWide = useMedia('(min-width: 768px)');
  const side = isRowEach && isWide ? sideWidth : 0;
  const colors = useColors();
  const isCriticalShown = isRowEach && view.options['isCriticalShown'] === true;

  const bars = useMemo(() => barsOf(chosen, records, milestones, cardName), [chosen, records, milestones]);
  const byId = useMemo(() => new Map(bars.map((bar) => [bar.id, bar])), [bars]);
  const extent = useMemo(
    () =>
      bars.length === 0
        ? undefined
        : bars.reduce<Span>(
            (all, bar) => ({ start: Math.min(all.start, bar.start), end: Math.max(all.end, bar.end) }),
            { start: Number.POSITIVE_INFINITY, end: Number.NEGATIVE_INFINITY },
          ),
    [bars],
  );
  const waits = useMemo(
    () => (waiting === undefined ? noDependencies : dependenciesOf(bars, waiting, works, { byDay, isCriticalShown })),
    [bars, waiting, works, byDay, isCriticalShown],
  );
  const time = useTimePort(extent, isReady, now, side);
  const packedAt = levelOf(time.pxPerDay).pxPerDay;
  const rows = useMemo(
    () => rowsOf(bars, { field: lane, isRowEach, gap: (10 * dayLength) / packedAt }),
    [bars, lane, isRowEach, packedAt],
  );
  const rowOf = useMemo(() => {
    const found = new Map<string, number>();
    rows.forEach((row, index) => {
      for (const { id } of row.bars) if (!found.has(id)) found.set(id, index);
    });
    return found;
  }, [rows]);
  const paints = useMemo(() => {
    const found = new Map<string, string>();
    if (colors.fieldIds.length === 0) return found;
    for (const { id, record } of bars) {
      const { row } = colors.of((fieldId) => record.fields[fieldId]);
      if (row !== undefined) found.set(id, solidTint(row, 'cell'));
    }
    return found;
    // The colours of a theme.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [bars, colors, themeName]);

  const scene = {
    rows,
    rowOf,
    bars: byId,
    works,
    now,
    edges: waits.edges,
    critical: waits.critical,
    sideName: isRowEach ? (fields.find(({ isPrimary }) => isPrimary === true)?.name ?? '') : undefined,
    colorOf: ({ id }: Bar) => paints.get(id),
  };
  const picture = async (): Promise<void> => {
    try {
      const all = extent ?? { start: now - 15 * dayLength, end: now + 15 * dayLength };
      const beyond = await savePicture(view.name, { ...scene, theme: barTheme() }, all, {
        msPerPx: dayLength / time.pxPerDay,
        side: isRowEach ? sideWidth : 0,
      });
      if (beyond > 0)
        showToast({ kind: 'note', title: `The picture ends with row ${rows.length - beyond} of ${rows.length}.` });
    } catch (error) {
      showProblem(error, 'The picture was not made.');
    }
  };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      <BarToolbar time={time} now={now} undated={undated} onPicture={() => void picture()}>
        {children}
      </BarToolbar>
      <BarNotices view={view} isFull={isFull} cycles={waits.cycles} bars={byId} onOpen={onOpen} />
      {isReady && bars.length === 0 && (
        <p role="status" className="border-t border-line bg-surface px-4 py-2 text-ink-soft">
          No record here has a date in {start.name}.
          {acts.create === undefined ? '' : ' Drag over an empty place to add one.'}
        </p>
      )}
      <BarCanvas
        label={`${isRowEach ? 'Gantt chart' : 'Timeline'} by ${start.name}`}
        scene={scene}
        time={time}
        side={side}
        gestures={{
          fields: chosen,
          mayMove: acts.mayMove,
          mayStretch: acts.mayStretch,
          mayChangeLane: acts.mayChangeLane,
          mayCreate: acts.create !== undefined,
          movedWith: (bar, to) => movedWith(waits, works, bar, to),
          onPut: (moved, id, to) => acts.put(byId, moved, id, to),
          onCreate: (span, to) => acts.create?.(span, to),
          onOpen,
        }}
        onSchedule={acts.schedule}
      />
    </div>
  );
};
