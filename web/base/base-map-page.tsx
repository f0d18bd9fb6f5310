// A picture of the base: its tables, and the links between them. A table opens by a click or a key.
import type { Field } from '@rowhouse/contract/field.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Link2, Sheet } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { isUsableLink, linkOptionsOf } from '../field-type/link/linked.ts';
import { sidesOf } from '../field-type/link/relationship.ts';
import { fieldsQuery, tablesQuery } from '../record-data/queries.ts';
import { classNames } from '../ui/class-names.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';
import { layOut, lineBetween, type LineEnd } from './map-layout.ts';

const headerHeight = 38;
const rowHeight = 26;
const footerHeight = 26;

interface Line {
  key: string;
  from: { tableId: string; fieldId: string };
  to: { tableId: string; fieldId: string | undefined };
  /** How many a record has, seen from each end. */
  hereSeveral: boolean;
  thereSeveral: boolean;
}

/** Both sides of a link are one line. */
const linesOf = (tables: readonly { id: string; links: readonly Field[] }[]): Line[] => {
  const drawn = new Set<string>();
  return tables.flatMap(({ id: tableId, links }) =>
    links.flatMap((field): Line[] => {
      const { foreignTableId, symmetricFieldId, relationship } = linkOptionsOf(field);
      if (drawn.has(field.id) || !tables.some(({ id }) => id === foreignTableId)) return [];
      if (symmetricFieldId !== undefined) drawn.add(symmetricFieldId);
      return [
        {
          key: field.id,
          from: { tableId, fieldId: field.id },
          to: { tableId: foreignTableId, fieldId: symmetricFieldId },
          ...sidesOf(relationship),
        },
      ];
    }),
  );
};

/** `one` or `many` beside the end of a line. */
const EndMark = ({ end, isSeveral }: { end: LineEnd; isSeveral: boolean }): ReactNode => {
  const out = end.side === 'right' ? 1 : -1;
  return isSeveral ? (
    <path
      d={`M ${end.x + out * 11} ${end.y} L ${end.x} ${end.y - 5} M ${end.x + out * 11} ${end.y} L ${end.x} ${end.y + 5}`}
    />
  ) : (
    <path d={`M ${end.x + out * 8} ${end.y - 5} v 10`} />
  );
};

export const BaseMapPage = () => {
  const { baseId } = useParams({ from: '/signed-in/base/$baseId' });
  const list = useQuery(tablesQuery(baseId)).data;
  const answers = useQueries({ queries: (list ?? []).map(({ id }) => fieldsQuery(id)) });
  const [active, setActive] = useState<string>();
  const known = answers.map(({ data }) => data);
  const tables = useMemo(
    () =>
      (list ?? []).map((table, at) => ({
        ...table,
        count: known[at]?.length ?? 0,
        links: (known[at] ?? []).filter(isUsableLink),
      })),
    // Fields of all tables, by when they were read.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [list, answers.map(({ dataUpdatedAt }) => dataUpdatedAt).join()],
  );
  if (list === undefined || answers.some(({ isPending }) => isPending)) return <Loading what="Drawing the tables" />;

  const lines = linesOf(tables);
  const { boxes, width, height } = layOut(
    tables.map(({ id, links }) => ({ id, height: headerHeight + links.length * rowHeight + footerHeight })),
    lines.map(({ from, to }) => ({ from: from.tableId, to: to.tableId })),
  );
  const rowOf = (tableId: string, fieldId: string | undefined): number => {
    const at = tables.find(({ id }) => id === tableId)?.links.findIndex(({ id }) => id === fieldId) ?? -1;
    return at < 0 ? headerHeight / 2 : headerHeight + (at + 0.5) * rowHeight;
  };
  const nameOf = (tableId: string): string => tables.find(({ id }) => id === tableId)?.name ?? '';
  const isLit = ({ from, to }: Line): boolean => from.tableId === active || to.tableId === active;

  return (
    <main className="flex min-h-0 flex-1 flex-col bg-surface">
      <div className="border-b border-line px-4 py-2.5 sm:px-6">
        <h1 className="text-[15px] font-semibold">Schema</h1>
        <p className="text-[13px] text-ink-soft">
          {lines.length === 0
            ? 'No table is linked to another yet. A link field joins them.'
            : 'Lines are links: a fork is the end that several records share. Open a table by clicking it.'}
        </p>
      </div>
      {tables.length === 0 ? (
        <EmptyState icon={<Sheet size={20} />} title="No tables yet">
          Tables that you make appear here.
        </EmptyState>
      ) : (
        <div
          tabIndex={0}
          role="region"
          aria-label="Tables and their links"
          className="min-h-0 flex-1 overflow-auto bg-canvas outline-offset-[-2px]"
        >
          <div className="relative mx-auto" style={{ width, height }}>
            <svg aria-hidden width={width} height={height} className="absolute inset-0" fill="none" strokeWidth={1.5}>
              {[...lines]
                .sort((one, other) => Number(isLit(one)) - Number(isLit(other)))
                .map((line) => {
                  const [from, to] = [boxes.get(line.from.tableId), boxes.get(line.to.tableId)];
                  if (from === undefined || to === undefined) return null;
                  const { start, end, path } = lineBetween(
                    from,
                    rowOf(line.from.tableId, line.from.fieldId),
                    to,
                    rowOf(line.to.tableId, line.to.fieldId),
                  );
                  return (
                    <g
                      key={line.key}
                      className={isLit(line) ? 'stroke-accent' : 'stroke-ink-faint'}
                      opacity={active === undefined || isLit(line) ? 1 : 0.35}
                    >
                      <path d={path} strokeDasharray={line.to.fieldId === undefined ? '5 4' : undefined} />
                      <EndMark end={start} isSeveral={line.thereSeveral} />
                      <EndMark end={end} isSeveral={line.hereSeveral} />
                    </g>
                  );
                })}
            </svg>
            <ul>
              {tables.map((table) => {
                const box = boxes.get(table.id);
                if (box === undefined) return null;
                const linked = [...new Set(table.links.map((field) => nameOf(linkOptionsOf(field).foreignTableId)))];
                return (
                  <li
                    key={table.id}
                    className="absolute"
                    style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
                  >
                    <Link
                      to="/base/$baseId/$tableId"
                      params={{ baseId, tableId: table.id }}
                      aria-label={linked.length === 0 ? table.name : `${table.name}, linked to ${linked.join(', ')}`}
                      onMouseEnter={() => setActive(table.id)}
                      onMouseLeave={() => setActive(undefined)}
                      onFocus={() => setActive(table.id)}
                      onBlur={() => setActive(undefined)}
                      className={classNames(
                        'flex h-full flex-col overflow-hidden rounded-xl border bg-surface shadow-card transition-colors',
                        table.id === active ? 'border-accent' : 'border-line-strong',
                      )}
                    >
                      <span
                        className="flex shrink-0 items-center gap-2 border-b border-line px-3 font-medium"
                        style={{ height: headerHeight }}
                      >
                        <span className="flex w-4 shrink-0 justify-center" aria-hidden>
                          {table.icon ?? <Sheet size={16} className="text-ink-faint" />}
                        </span>
                        <span className="truncate">{table.name}</span>
                      </span>
                      {table.links.map((field) => (
                        <span
                          key={field.id}
                          className="flex shrink-0 items-center gap-2 px-3 text-[13px] text-ink-soft"
                          style={{ height: rowHeight }}
                        >
                          <Link2 size={13} className="shrink-0 text-ink-faint" aria-hidden />
                          <span className="truncate">{field.name}</span>
                        </span>
                      ))}
                      <span className="mt-auto truncate px-3 text-[12px] leading-6 text-ink-faint">
                        {table.count} {table.count === 1 ? 'field' : 'fields'}
                      </span>
                    </Link>
                  </li>
                );
              })}
            </ul>
          </div>
        </div>
      )}
    </main>
  );
};
