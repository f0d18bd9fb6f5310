// A chart as a file: a picture to be sent on, or its numbers.
import type { Look } from '@rowhouse/contract/chart.ts';
import type { ChartData } from '@rowhouse/contract/chart-data.ts';
import { csvOf, saveBlob, saveText } from '../app/save-text.ts';
import type { Drawing } from '../chart/drawing.ts';
import { fileOf } from '../chart/drawing.ts';
import { shownText } from '../field-type/cell-text.ts';
import { resolvedTheme } from '../ui/theme.ts';
import { showProblem } from '../ui/toast.ts';
import { axesOf, drawingOfGroups, drawingOfPoints, groupLabel, nameOfMeasure, type ShownChart } from './drawing-of.ts';

/** What file systems take. */
const fileName = (name: string): string => name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim() || 'Chart';

const numberText = (value: number | null | undefined): string => String(value ?? '');

const pivotFile = (data: Extract<ChartData, { kind: 'pivot' }>): string => {
  const measures = data.totals.map((_total, at) => at);
  const rowKeys = data.rows[0]?.length ?? 0;
  const nameOf = (groups: readonly string[], measure: number): string =>
    [...groups, ...(measures.length > 1 || groups.length === 0 ? [nameOfMeasure(data, measure)] : [])].join(' · ');
  const hasColumns = data.columns.some((groups) => groups.length > 0);
  return csvOf(
    [
      ...(data.rows[0] ?? []).map((_group, at) => data.groupedBy[at]?.name ?? ''),
      ...data.columns.flatMap((groups) =>
        measures.map((measure) =>
          nameOf(
            groups.map((group, at) => groupLabel(group, data.groupedBy[rowKeys + at])),
            measure,
          ),
        ),
      ),
      ...(hasColumns ? measures.map((measure) => nameOf(['Total'], measure)) : []),
    ],
    data.rows.map((groups, row) => [
      ...groups.map((group, at) => groupLabel(group, data.groupedBy[at])),
      ...data.columns.flatMap((_groups, column) =>
        measures.map((measure) => numberText(data.values[row]?.[column]?.[measure])),
      ),
      ...(hasColumns ? measures.map((measure) => numberText(data.rowTotals[row]?.[measure])) : []),
    ]),
  );
};

const textOf = (shown: ShownChart, data: ChartData): string | undefined => {
  switch (data.kind) {
    case 'groups':
      return fileOf(drawingOfGroups(shown, data));
    case 'points':
      return fileOf(drawingOfPoints(shown, data));
    case 'pivot':
      return pivotFile(data);
    case 'number':
      return csvOf(
        ['', nameOfMeasure(data, 0)],
        [
          ...(data.trend?.groups ?? []).map((group, at) => [
            groupLabel(group, data.groupedBy[0]),
            numberText(data.trend?.values[at]),
          ]),
          ['Total', numberText(data.value)],
        ],
      );
    case 'records':
      return csvOf(
        data.fields.map(({ name }) => name),
        data.records.map((record) => data.fields.map((field) => shownText(field, record.fields[field.id]))),
      );
    default:
      return undefined;
  }
};

export const exportFile = (shown: ShownChart, data: ChartData): void => {
  const text = textOf(shown, data);
  if (text !== undefined) saveText(`${fileName(shown.name)}.csv`, text);
};

export const exportPicture = async (drawing: Drawing, look: Look): Promise<void> => {
  try {
    const { pictureOf } = await import('../chart/export-picture.ts');
    const picture = await pictureOf(drawing, axesOf(look), resolvedTheme(), look.color);
    saveBlob(`${fileName(drawing.title)}.png`, picture);
  } catch (error) {
    showProblem(error, 'The picture was not made.');
  }
};
