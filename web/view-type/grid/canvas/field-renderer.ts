// Joins our cells to the grid library: how they are drawn, and what a click changes at once.
import { type CustomRenderer, GridCellKind } from '@glideapps/glide-data-grid';
import { linkOf, openLink } from '../../../field-type/cell/cell-link.ts';
import { shownCell } from '../../../field-type/cell-text.ts';
import { isOnButton } from './draw-button.ts';
import { isOnCheckbox } from './draw-checkbox.ts';
import { drawField, drawnPills, mostDrawn } from './draw-field.ts';
import { widthIn } from './fitted-text.ts';
import { contentWidth } from './measure-field.ts';
import { pillAt } from './draw-pills.ts';
import { starAt } from './draw-stars.ts';
import { type FieldCell, isFieldCell, withValue } from './field-cell.ts';

export const fieldRenderer: CustomRenderer<FieldCell> = {
  kind: GridCellKind.Custom,
  isMatch: isFieldCell,
  needsHover: (cell) =>
    cell.data.field.isPrimary === true ||
    (cell.readonly !== true && shownCell(cell.data.field, cell.data.value).as === 'stars'),
  draw: drawField,
  measure: (ctx, cell, theme) => contentWidth(cell.data, widthIn(ctx, theme)) + 2 * theme.cellHorizontalPadding,
  onClick: ({ cell, posX, posY, bounds, theme, ctrlKey, metaKey, preventDefault }) => {
    const { field, value } = cell.data;
    const href = ctrlKey || metaKey ? linkOf(field, value) : undefined;
    if (href !== undefined) {
      preventDefault();
      openLink(href);
      return undefined;
    }
    const shown = shownCell(field, value, mostDrawn);
    const pill =
      shown.as === 'pills' && cell.data.onPill !== undefined
        ? pillAt(posX, posY, bounds, theme, drawnPills(shown.pills, theme))
        : undefined;
    if (pill !== undefined) {
      cell.data.onPill?.(pill);
      return undefined;
    }
    if (shown.as === 'pressable' && isOnButton(posX, posY, bounds, theme, shown.label)) {
      preventDefault();
      cell.data.onPress?.();
      return undefined;
    }
    if (cell.readonly === true) return undefined;
    if (shown.as === 'tick' && isOnCheckbox(posX, posY, bounds)) {
      preventDefault();
      return withValue(cell, value === true ? null : true);
    }
    const star = shown.as === 'stars' ? starAt(posX, shown.most, theme) : undefined;
    if (star === undefined) return undefined;
    preventDefault();
    return withValue(cell, star === value ? null : star);
  },
};
