// An item of a dashboard: its title, its menu, and what it shows.
import type { DashboardItem } from '@rowhouse/contract/dashboard.ts';
import { useQuery } from '@tanstack/react-query';
import {
  ArrowDown,
  ArrowUp,
  CopyPlus,
  Ellipsis,
  FileDown,
  ImageDown,
  Pencil,
  Table2,
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { MarkdownView } from '../field-type/long-text/markdown-view.tsx';
import { ChartView, drawingOf, Waiting } from './chart-view.tsx';
import type { ShownChart } from './drawing-of.ts';
import { exportFile, exportPicture } from './export-chart.ts';
import { ItemFrame } from './item-frame.tsx';
import type { PickedRecords } from './picked.ts';
import { chartDataQuery, type TableFilter } from './queries.ts';

interface ItemCardProps {
  baseId: string;
  dashboardId: string;
  item: DashboardItem;
  filters: readonly TableFilter[];
  /** It is known what to filter by. */
  isReady: boolean;
  grip: ReactNode;
  mayChange: boolean;
  onEdit: () => void;
  onRename: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
  /** Absent at the ends. */
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onPick: (picked: PickedRecords) => void;
  onOpen: (tableId: string, recordId: string) => void;
}

const noNames: never[] = [];
const noLook = {};

export const ItemCard = ({
  baseId,
  dashboardId,
  item,
  filters,
  isReady,
  grip,
  mayChange,
  onEdit,
  onRename,
  onDuplicate,
  onDelete,
  onUp,
  onDown,
  onPick,
  onOpen,
}: ItemCardProps) => {
  const { name, chart, type, look = noLook } = item;
  const [asTable, setAsTable] = useState(false);
  const tableId = chart !== undefined && 'tableId' in chart ? chart.tableId : undefined;
  const isText = chart?.type === 'text';
  const answer = useQuery({
    ...chartDataQuery(baseId, dashboardId, { id: item.id, version: item.version, tableId }, filters),
    enabled: !isText && isReady,
  });
  const shown = useMemo<ShownChart>(() => ({ name, type: type ?? 'bar', look }), [name, type, look]);
  const drawing = useMemo(
    () => (answer.data === undefined ? undefined : drawingOf(shown, answer.data)),
    [shown, answer.data],
  );
  const { data } = answer;
  const body = () => {
    if (isText) return <MarkdownView text={chart.text} names={noNames} />;
    if (data !== undefined)
      return (
        <ChartView
          shown={shown}
          data={data}
          asTable={asTable}
          onPick={onPick}
          onOpen={onOpen}
          onMend={mayChange && chart !== undefined ? onEdit : undefined}
        />
      );
    return answer.error === null ? <Waiting /> : <ProblemNote error={answer.error} />;
  };
  const canExport = data !== undefined && ['groups', 'points', 'pivot', 'records', 'number'].includes(data.kind);
  return (
    <ItemFrame
      name={name}
      description={chart?.description}
      isText={isText}
      grip={grip}
      actions={
        <div className="flex shrink-0 items-center">
          {drawing !== undefined && (
            <IconButton
              label={asTable ? `Show ${name} as a chart` : `Show ${name} as a table`}
              active={asTable}
              aria-pressed={asTable}
              onClick={() => setAsTable(!asTable)}
              className={classNames(
                'size-7',
                !asTable &&
                  'opacity-0 group-hover/item:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100',
              )}
            >
              <Table2 size={15} />
            </IconButton>
          )}
          {(mayChange || canExport) && (
            <Menu
              align="end"
              trigger={
                <button
                  type="button"
                  aria-label={`More for ${name}`}
                  className="rounded-md p-1 text-ink-faint hover:bg-sunken hover:text-ink"
                >
                  <Ellipsis size={16} aria-hidden />
                </button>
              }
            >
              {mayChange && (chart !== undefined || type === null) && (
                <MenuItem icon={<Pencil size={16} />} onSelect={onEdit}>
                  Edit
                </MenuItem>
              )}
              {mayChange && (
                <MenuItem icon={<TextCursorInput size={16} />} onSelect={onRename}>
                  Rename
                </MenuItem>
              )}
              {mayChange && chart !== undefined && (
                <MenuItem icon={<CopyPlus size={16} />} onSelect={onDuplicate}>
                  Duplicate
                </MenuItem>
              )}
              {onUp !== undefined && (
                <MenuItem icon={<ArrowUp size={16} />} onSelect={onUp}>
                  Move up
                </MenuItem>
              )}
              {onDown !== undefined && (
                <MenuItem icon={<ArrowDown size={16} />} onSelect={onDown}>
                  Move down
                </MenuItem>
              )}
              {drawing !== undefined && (
                <MenuItem icon={<ImageDown size={16} />} onSelect={() => void exportPicture(drawing, look)}>
                  Download as PNG
                </MenuItem>
              )}
              {canExport && data !== undefined && (
                <MenuItem icon={<FileDown size={16} />} onSelect={() => exportFile(shown, data)}>
                  Download as CSV
                </MenuItem>
              )}
              {mayChange && (
                <>
                  <MenuSeparator />
                  <MenuItem danger icon={<Trash2 size={16} />} onSelect={onDelete}>
                    Delete
                  </MenuItem>
                </>
              )}
            </Menu>
          )}
        </div>
      }
    >
      {body()}
      {data !== undefined && 'isCut' in data && data.isCut && data.kind !== 'records' && (
        <p className="sr-only">Not everything is shown: there is more than fits.</p>
      )}
    </ItemFrame>
  );
};
