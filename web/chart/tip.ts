// What is said beside the pointer. Made of elements, not of HTML: names of records and choices stay text.
import type { Drawing } from './drawing.ts';

interface Pointed {
  seriesIndex?: number;
  dataIndex: number;
  color?: unknown;
  data?: unknown;
  percent?: number;
}

interface Tip {
  head: string;
  lines: readonly { color?: string | undefined; name: string; text: string }[];
}

const mostLines = 12;

const colorIn = ({ color }: Pointed): string | undefined => (typeof color === 'string' ? color : undefined);

/** Its words. */
export const tipWords = (drawing: Drawing, pointed: readonly Pointed[]): Tip | undefined => {
  const { kind, groups, series, points, text, shortX, groupName, valueName } = drawing;
  const [first] = pointed;
  if (first === undefined) return undefined;
  if (kind === 'scatter') {
    const point = points[(first.data as { place?: number } | undefined)?.place ?? -1];
    if (point === undefined) return undefined;
    return {
      head: point.label,
      lines: [
        { name: groupName, text: shortX(point.x) },
        { name: valueName, text: text(point.y), color: colorIn(first) },
      ],
    };
  }
  if (kind === 'heat') {
    const [x = -1, y = -1] = (first.data as { value?: number[] } | undefined)?.value ?? [];
    const value = series[y]?.values[x] ?? null;
    return value === null
      ? undefined
      : {
          head: `${series[y]?.name ?? ''} · ${groups[x]?.label ?? ''}`,
          lines: [{ name: valueName, text: text(value) }],
        };
  }
  if (kind === 'pie') {
    const value = series[0]?.values[first.dataIndex] ?? 0;
    const share = first.percent === undefined ? '' : ` (${Math.round(first.percent)}%)`;
    return {
      head: groups[first.dataIndex]?.label ?? '',
      lines: [{ color: colorIn(first), name: valueName, text: `${text(value)}${share}` }],
    };
  }
  const shown = pointed.flatMap((one) => {
    const own = series[one.seriesIndex ?? -1];
    const value = own?.values[one.dataIndex] ?? null;
    return own === undefined || value === null ? [] : [{ color: colorIn(one), name: own.name, value }];
  });
  const most = shown.toSorted((one, other) => other.value - one.value).slice(0, mostLines);
  const left = shown.length - most.length;
  return {
    head: groups[first.dataIndex]?.label ?? '',
    lines: [
      ...shown
        .filter((one) => most.includes(one))
        .map(({ color, name, value }) => ({ color, name: series.length === 1 ? valueName : name, text: text(value) })),
      ...(left > 0 ? [{ name: `and ${left} more`, text: '' }] : []),
    ],
  };
};

const element = (tag: string, className: string, text = ''): HTMLElement => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};

export const tipOf = (drawing: Drawing, params: unknown): HTMLElement | string => {
  const tip = tipWords(drawing, (Array.isArray(params) ? params : [params]) as Pointed[]);
  if (tip === undefined) return '';
  const box = element(
    'div',
    'max-w-72 rounded-lg border border-line bg-raised px-3 py-2 text-[13px] text-ink shadow-float whitespace-normal',
  );
  box.append(element('div', 'mb-1 font-semibold break-words', tip.head));
  for (const { color, name, text } of tip.lines) {
    const line = element('div', 'flex items-center gap-2');
    const dot = element('span', 'size-2.5 shrink-0 rounded-[3px]');
    if (color !== undefined) dot.style.background = color;
    line.append(
      ...(color === undefined ? [] : [dot]),
      element('span', 'min-w-0 flex-1 truncate text-ink-soft', name),
      element('span', 'pl-3 font-medium', text),
    );
    box.append(line);
  }
  return box;
};
