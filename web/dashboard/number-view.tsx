// One number, large, and how it came to be.
import type { ChartDataOf } from '@rowhouse/contract/chart-data.ts';
import { TrendingDown, TrendingUp, Minus } from 'lucide-react';
import { classNames } from '../ui/class-names.ts';
import { groupLabel, nameOfMeasure, type ShownChart, textOfMeasure } from './drawing-of.ts';
import { changeOf, sparkline } from './trend.ts';

interface NumberViewProps {
  shown: ShownChart;
  data: ChartDataOf<'number'>;
  onPick: (() => void) | undefined;
}

const Change = ({
  shown,
  data,
  trend,
}: {
  shown: ShownChart;
  data: ChartDataOf<'number'>;
  trend: NonNullable<ChartDataOf<'number'>['trend']>;
}) => {
  const change = changeOf(trend.values);
  if (change === undefined) return null;
  const isGood = shown.look.lowerIsBetter === true ? change.by < 0 : change.by > 0;
  const Icon = change.by === 0 ? Minus : change.by > 0 ? TrendingUp : TrendingDown;
  const words =
    change.share === undefined ? textOfMeasure(data, 0).text(Math.abs(change.by)) : `${Math.abs(change.share)}%`;
  const labelOf = (group: (typeof trend.groups)[number]): string => groupLabel(group, data.groupedBy[0]);
  const [before, now] = trend.groups.slice(-2);
  const { text } = textOfMeasure(data, 0);
  // The figure above is of all periods: the change is told with the period that it is of.
  const present = trend.values.at(-1) ?? 0;
  return (
    <p
      className={classNames(
        'flex shrink-0 items-center gap-x-1.5 text-[13px]',
        change.by === 0 ? 'text-ink-soft' : isGood ? 'text-accent' : 'text-danger',
      )}
    >
      <Icon size={15} className="shrink-0" aria-hidden />
      <span className="font-medium">
        <span className="sr-only">{change.by === 0 ? 'No change: ' : change.by > 0 ? 'Up ' : 'Down '}</span>
        {words}
      </span>
      {before !== undefined && now !== undefined && (
        <span className="truncate text-ink-faint" title={`${labelOf(now)} against ${labelOf(before)}`}>
          {labelOf(now)}: {text(present)}
        </span>
      )}
    </p>
  );
};

export const NumberView = ({ shown, data, onPick }: NumberViewProps) => {
  const { text } = textOfMeasure(data, 0);
  const value = data.value === null ? '–' : text(data.value);
  const line = sparkline(data.trend?.values ?? [], 240, 44);
  const size = value.length > 14 ? 'text-2xl' : value.length > 9 ? 'text-3xl' : 'text-4xl';
  return (
    <div className="flex h-full min-h-0 flex-col justify-center gap-1">
      {onPick === undefined ? (
        <p className={`${size} shrink-0 font-semibold tracking-tight`}>{value}</p>
      ) : (
        <button
          type="button"
          title="Show the records"
          onClick={onPick}
          className={`${size} shrink-0 self-start rounded-lg text-left font-semibold tracking-tight hover:text-accent`}
        >
          {value}
        </button>
      )}
      {nameOfMeasure(data, 0) !== shown.name && (
        <p className="shrink-0 truncate text-[13px] text-ink-soft">{nameOfMeasure(data, 0)}</p>
      )}
      {data.trend !== undefined && <Change shown={shown} data={data} trend={data.trend} />}
      {data.trend !== undefined && line !== undefined && (
        <>
          <svg
            viewBox="0 0 240 44"
            preserveAspectRatio="none"
            aria-hidden
            className="mt-1 max-h-16 min-h-0 w-full flex-1 text-accent"
          >
            <path d={`${line} L240 44 L0 44 Z`} fill="currentColor" opacity="0.12" />
            <path d={line} fill="none" stroke="currentColor" strokeWidth="2" vectorEffect="non-scaling-stroke" />
          </svg>
          <table className="sr-only">
            <caption>{shown.name}</caption>
            <tbody>
              {data.trend.groups.map((group, at) => (
                <tr key={at}>
                  <th scope="row">{groupLabel(group, data.groupedBy[0])}</th>
                  <td>{data.trend?.values[at] == null ? 'none' : text(data.trend.values[at])}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </div>
  );
};
