// The header of a group: its first cell folds it and says what the group is, the others hold its statistics.
import {
  type BaseDrawArgs,
  type CustomCell,
  type CustomRenderer,
  drawTextCell,
  GridCellKind,
  measureTextCached,
} from '@glideapps/glide-data-grid';
import type { Field } from '@rowhouse/contract/field.ts';
import { shownCell } from '../../../field-type/cell-text.ts';
import { withThousands } from '../../../field-type/number/number-format.ts';
import { countText, groupLabel } from '../group/group-label.ts';
import type { GroupHeader } from '../group/group-rows.ts';
import { drawnPills, mostDrawn } from './draw-field.ts';
import { drawPills } from './draw-pills.ts';

interface GroupCellData {
  kind: 'group';
  header: GroupHeader;
  field: Field | undefined;
  /** Set outside of the first cell. */
  statistic?: string;
}

type GroupCell = CustomCell<GroupCellData>;

const indent = 18;

export const groupCell = (header: GroupHeader, field: Field | undefined): GroupCell => ({
  kind: GridCellKind.Custom,
  allowOverlay: false,
  readonly: true,
  cursor: 'pointer',
  copyData: `${groupLabel(field, header)}, ${countText(header.count)}, ${header.isCollapsed ? 'collapsed' : 'expanded'}`,
  data: { kind: 'group', header, field },
});

export const groupStatisticCell = (header: GroupHeader, statistic: string): GroupCell => ({
  kind: GridCellKind.Custom,
  allowOverlay: false,
  readonly: true,
  copyData: statistic,
  data: { kind: 'group', header, field: undefined, statistic },
});

const drawChevron = (
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  isCollapsed: boolean,
  color: string,
): void => {
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.6;
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  ctx.beginPath();
  if (isCollapsed) {
    ctx.moveTo(x - 2, y - 4);
    ctx.lineTo(x + 2, y);
    ctx.lineTo(x - 2, y + 4);
  } else {
    ctx.moveTo(x - 4, y - 2);
    ctx.lineTo(x, y + 2);
    ctx.lineTo(x + 4, y - 2);
  }
  ctx.stroke();
};

const draw = (args: BaseDrawArgs, { data: { header, field, statistic } }: GroupCell): void => {
  const { ctx, rect, theme } = args;
  if (statistic !== undefined) {
    drawTextCell({ ...args, theme: { ...theme, textDark: theme.textMedium } }, statistic, 'right');
    return;
  }
  const middle = rect.y + rect.height / 2;
  const left = rect.x + theme.cellHorizontalPadding + header.depth * indent;
  drawChevron(ctx, left + 5, middle, header.isCollapsed, theme.textMedium);
  const count = withThousands(header.count);
  ctx.font = theme.baseFontFull;
  const countWidth = measureTextCached(count, ctx, theme.baseFontFull).width;
  const right = rect.x + rect.width - theme.cellHorizontalPadding;
  const room = Math.max(20, right - countWidth - 10 - (left + 16));
  const shown = field === undefined || header.value === null ? undefined : shownCell(field, header.value, mostDrawn);
  // Choices have their colour; everything else is the name of the group.
  if (shown?.as === 'pills' && shown.pills.length > 0 && shown.pills.every(({ color }) => color !== undefined)) {
    const pad = theme.cellHorizontalPadding;
    drawPills(
      { ...args, rect: { ...rect, x: left + 16 - pad, width: room + 2 * pad } },
      drawnPills(shown.pills, theme),
    );
  } else {
    ctx.save();
    ctx.beginPath();
    ctx.rect(left + 16, rect.y, room, rect.height);
    ctx.clip();
    ctx.font = `600 ${theme.baseFontFull}`;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = header.value === null ? theme.textMedium : theme.textDark;
    ctx.fillText(groupLabel(field, header), left + 16, middle + 1);
    ctx.restore();
  }
  ctx.font = theme.baseFontFull;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = theme.textMedium;
  ctx.fillText(count, right, middle + 1);
  ctx.textAlign = 'left';
};

export const groupRenderer: CustomRenderer<GroupCell> = {
  kind: GridCellKind.Custom,
  isMatch: (cell): cell is GroupCell => (cell.data as Partial<GroupCellData>).kind === 'group',
  draw,
};
