// What the library is told of a cell: its value, what a click in it does, and its colours.
import { type GridCell, GridCellKind, type Item, type Theme } from '@glideapps/glide-data-grid';
import type { RecordColors } from '@rowhouse/contract/color-rule.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import { type RefObject, useCallback, useRef } from 'react';
import { solidTint } from '../../../field-type/cell/record-colors.tsx';
import { fieldTypeOf } from '../../../field-type/field-types.ts';
import { linksOf } from '../../../field-type/link/linked.ts';
import { fieldCell } from './field-cell.ts';
import type { GridProps } from './grid-props.ts';
import { variable } from './grid-theme.ts';
import { groupCell, groupStatisticCell } from './group-cell.ts';

/** The cell that the cursor was in when the mouse button went down, and whether its click opened something. */
export interface Pressed {
  at: string | undefined;
  hasOpened: boolean;
}

interface CellContentInput {
  props: GridProps;
  pressed: RefObject<Pressed>;
  /** Cells are drawn again when the colours of the page change. */
  theme: Partial<Theme>;
  colorsAt: (row: number) => RecordColors | undefined;
}

export const useCellContent = ({ props, pressed, theme, colorsAt }: CellContentInput): ((item: Item) => GridCell) => {
  const { columns, rows, groupFields, groupStatistic, canEdit, recordAt, valueOf, refusalOf, version } = props;
  const { onOpenLinked, onPress } = props;
  const latestOpen = useRef(onOpenLinked);
  latestOpen.current = onOpenLinked;
  const latestPress = useRef(onPress);
  latestPress.current = onPress;
  const openLinked = (field: Field, value: unknown, at: number, where: string): void => {
    const linked = linksOf(value)[at]?.id;
    if (linked === undefined || pressed.current.at !== where) return;
    pressed.current.hasOpened = true;
    latestOpen.current(field, linked);
  };

  return useCallback(
    ([columnIndex, row]: Item): GridCell => {
      const column = columns[columnIndex];
      const header = rows.headerAt(row);
      if (header !== undefined)
        return columnIndex === 0 || column === undefined
          ? groupCell(header, groupFields[header.depth])
          : groupStatisticCell(header, groupStatistic(header, column.field.id));
      const record = recordAt(row);
      if (column === undefined || record === undefined)
        return {
          kind: GridCellKind.Loading,
          allowOverlay: false,
          skeletonWidth: 70,
          skeletonWidthVariability: 60,
          skeletonHeight: 14,
        };
      const { field } = column;
      const value = valueOf(record, field.id);
      const onPill =
        fieldTypeOf(field.type).leadsTo !== undefined && value !== undefined
          ? (at: number) => openLinked(field, value, at, `${columnIndex} ${row}`)
          : undefined;
      const cell = fieldCell({
        field,
        value,
        recordId: record.id,
        readonly: !canEdit || field.isComputed === true,
        onPill,
        onPress:
          fieldTypeOf(field.type).isPressed === true ? () => latestPress.current(record.id, field, value) : undefined,
      });
      const paint = colorsAt(row)?.cells.get(field.id);
      if (refusalOf(record.id, field.id) === undefined)
        return paint === undefined ? cell : { ...cell, themeOverride: { bgCell: solidTint(paint, 'cell') } };
      return {
        ...cell,
        themeOverride: { bgCell: variable('--danger-soft'), textDark: variable('--danger') },
      };
    },
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [columns, rows, groupFields, groupStatistic, canEdit, recordAt, valueOf, refusalOf, version, theme, colorsAt],
  );
};
