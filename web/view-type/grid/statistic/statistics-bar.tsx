// The row under the grid: a statistic per column, in line with the columns above.
import { validStatistics } from '@rowhouse/contract/aggregation.ts';
import { Check } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import type { Column, ColumnMeta } from '../../../record-data/columns.ts';
import { countText } from '../group/group-label.ts';
import { statisticWords } from './statistic-words.ts';
import type { ColumnStatistic } from './use-statistics.ts';

interface StatisticsBarProps {
  columns: readonly Column[];
  frozenColumns: number;
  /** How far the columns that are not frozen are scrolled. */
  scrolled: number;
  recordCount: number;
  statistics: ReadonlyMap<string, ColumnStatistic>;
  /** What the selected cells come to. */
  summary: string | undefined;
  canChange: boolean;
  onChoose: (changes: Record<string, Partial<ColumnMeta>>) => void;
}

const markerWidth = 52;

const onResize = (listener: () => void): (() => void) => {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
};

const StatisticCell = ({
  column: { field },
  shown,
  fallback,
  canChange,
  onChoose,
}: { column: Column; shown: ColumnStatistic | undefined; fallback: string } & Pick<
  StatisticsBarProps,
  'canChange' | 'onChoose'
>) => {
  const content =
    shown === undefined ? (
      <span
        className={classNames(
          'truncate',
          fallback === '' &&
            'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 group-data-[state=open]:opacity-100 [@media(hover:none)]:opacity-100',
        )}
      >
        {fallback === '' ? 'Summarise' : fallback}
      </span>
    ) : (
      <>
        <span className="shrink-0 text-ink-faint">{statisticWords[shown.statistic]}</span>
        <span className="truncate font-medium text-ink tabular-nums">{shown.text ?? '…'}</span>
      </>
    );
  const label = `${field.name}: ${shown === undefined ? fallback || 'no statistic' : `${statisticWords[shown.statistic]} ${shown.text ?? ''}`}`;
  if (!canChange) {
    return (
      <span className="flex h-full w-full items-center justify-end gap-1.5 px-2.5" role="note" aria-label={label}>
        {shown === undefined && fallback === '' ? null : content}
      </span>
    );
  }
  const choose = (statisticFunc: ColumnStatistic['statistic'] | null): void =>
    onChoose({ [field.id]: { statisticFunc } });
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          aria-label={label}
          className="group flex h-full w-full items-center justify-end gap-1.5 px-2.5 text-ink-soft outline-offset-[-2px] hover:bg-sunken"
        >
          {content}
        </button>
      }
    >
      <MenuItem icon={shown === undefined ? <Check size={16} /> : undefined} onSelect={() => choose(null)}>
        None
      </MenuItem>
      {validStatistics({
        type: field.type,
        cellValueType: field.cellValueType,
        isMultiple: field.isMultipleCellValue === true,
      }).map((statistic) => (
        <MenuItem
          key={statistic}
          icon={shown?.statistic === statistic ? <Check size={16} /> : undefined}
          onSelect={() => choose(statistic)}
        >
          {statisticWords[statistic]}
        </MenuItem>
      ))}
    </Menu>
  );
};

export const StatisticsBar = ({
  columns,
  frozenColumns,
  scrolled,
  recordCount,
  statistics,
  summary,
  canChange,
  onChoose,
}: StatisticsBarProps) => {
  const offsets = columns.map((_column, index) =>
    columns.slice(0, index).reduce((sum, { width }) => sum + width, markerWidth),
  );
  const end = useSyncExternalStore(onResize, () => document.documentElement.clientWidth);
  const frozenEnd = offsets[frozenColumns] ?? markerWidth;
  return (
    <div
      role="group"
      aria-label="Statistics"
      className="relative h-8 shrink-0 overflow-hidden border-t border-line bg-canvas text-[12px]"
    >
      <div className="absolute inset-y-0 left-0 w-[52px] bg-canvas" style={{ zIndex: 1 }} />
      {columns.map((column, index) => {
        const isFrozen = index < frozenColumns;
        const left = (offsets[index] ?? 0) - (isFrozen ? 0 : scrolled);
        if (!isFrozen && (left + column.width < frozenEnd || left > end)) return null;
        return (
          <div
            key={column.field.id}
            className={classNames('absolute inset-y-0 border-r border-line bg-canvas', isFrozen && 'z-[1]')}
            style={{ left, width: column.width + 1 }}
          >
            <StatisticCell
              column={column}
              shown={statistics.get(column.field.id)}
              fallback={index === 0 ? countText(recordCount) : ''}
              canChange={canChange}
              onChoose={onChoose}
            />
          </div>
        );
      })}
      {summary !== undefined && (
        <div
          role="status"
          aria-label="Selection"
          className="absolute inset-y-0 right-0 z-[2] flex items-center border-l border-line bg-canvas px-3 font-medium text-ink tabular-nums"
        >
          {summary}
        </div>
      )}
    </div>
  );
};
