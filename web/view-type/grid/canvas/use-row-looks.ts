// How rows look: headers of groups, the row below the mouse, a row that does not stand where it belongs, and rows that a rule paints.
import type { RowGroupingOptions, Theme } from '@glideapps/glide-data-grid';
import type { RecordColors } from '@rowhouse/contract/color-rule.ts';
import { useCallback, useMemo } from 'react';
import { solidTint, useColors } from '../../../field-type/cell/record-colors.tsx';
import type { GridProps } from './grid-props.ts';
import { variable } from './grid-theme.ts';

/** What rules paint, by row; each record is asked about once. */
export const useColorsAt = ({
  recordAt,
  valueOf,
  version,
  rows,
}: GridProps): ((row: number) => RecordColors | undefined) => {
  const colors = useColors();
  return useMemo(() => {
    const known = new Map<number, RecordColors | undefined>();
    return (row: number): RecordColors | undefined => {
      if (colors.fieldIds.length === 0) return undefined;
      if (!known.has(row)) {
        const record = recordAt(row);
        known.set(row, record === undefined ? undefined : colors.of((fieldId) => valueOf(record, fieldId)));
      }
      return known.get(row);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [colors, recordAt, valueOf, version, rows]);
};

interface RowLooksInput {
  props: GridProps;
  theme: Partial<Theme>;
  colorsAt: (row: number) => RecordColors | undefined;
  hoveredRow: number | undefined;
}

interface RowLooks {
  headerHeight: number;
  rowGrouping: RowGroupingOptions | undefined;
  rowTheme: (row: number) => Partial<Theme> | undefined;
}

export const useRowLooks = ({ props, theme, colorsAt, hoveredRow }: RowLooksInput): RowLooks => {
  const { rows, rowHeight, markedRow } = props;
  // Rows of one height are placed without adding them up, which matters when there are very many.
  const headerHeight = rows.rowCount > 50_000 ? rowHeight : 36;
  const rowGrouping = useMemo(
    () =>
      rows.headerRows.length === 0
        ? undefined
        : {
            groups: rows.headerRows.map((headerIndex) => ({ headerIndex, isCollapsed: false })),
            height: headerHeight,
            themeOverride: { bgCell: theme.bgHeader ?? '', bgCellMedium: theme.bgHeader ?? '' },
            selectionBehavior: 'allow-spanning' as const,
          },
    [rows, headerHeight, theme],
  );
  const rowTheme = useCallback(
    (row: number): Partial<Theme> | undefined => {
      const color =
        row === markedRow ? '--warn-soft' : row === hoveredRow && row < rows.rowCount ? '--hover' : undefined;
      if (color !== undefined) return { bgCell: variable(color), bgCellMedium: variable(color) };
      const paint = row < rows.rowCount && rows.headerAt(row) === undefined ? colorsAt(row)?.row : undefined;
      if (paint === undefined) return undefined;
      const background = solidTint(paint, 'row');
      return { bgCell: background, bgCellMedium: background };
    },
    // The colours of the page have changed with the theme.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [markedRow, hoveredRow, rows, theme, colorsAt],
  );
  return { headerHeight, rowGrouping, rowTheme };
};
