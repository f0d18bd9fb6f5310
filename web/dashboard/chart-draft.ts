// A chart while somebody puts it together. It keeps what other types of charts need, too: trying them loses nothing.
import { validStatistics } from '@rowhouse/contract/aggregation.ts';
import type { Chart, ChartType, DateUnit, Grouping, Look, Measure } from '@rowhouse/contract/chart.ts';
import { type Field, kindOf } from '@rowhouse/contract/field.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';

export interface ChartDraft {
  type: ChartType;
  tableId: string;
  viewId: string | null;
  filter: FilterGroup | null;
  group: Grouping;
  split: Grouping | null;
  measures: readonly Measure[];
  x: string;
  y: string;
  size: string | null;
  rows: readonly Grouping[];
  columns: readonly Grouping[];
  trend: { fieldId: string; by: DateUnit } | null;
  fieldIds: readonly string[];
  sort: { fieldId: string; order: 'asc' | 'desc' } | null;
  take: number;
  text: string;
  description: string;
  look: Look;
}

export const isDateField = (field: Field): boolean => kindOf(field) === 'date' && field.isMultipleCellValue !== true;
const isNumberField = (field: Field): boolean => kindOf(field) === 'number' && field.isMultipleCellValue !== true;

const works = ({ hasError }: Field): boolean => hasError !== true;

export const groupable = (fields: readonly Field[]): Field[] =>
  fields.filter((field) => works(field) && !['file', 'button'].includes(kindOf(field)));
export const plottable = (fields: readonly Field[]): Field[] =>
  fields.filter((field) => works(field) && (isDateField(field) || isNumberField(field)));
export const numbersOf = (fields: readonly Field[]): Field[] =>
  fields.filter((field) => works(field) && isNumberField(field));
export const datesOf = (fields: readonly Field[]): Field[] =>
  fields.filter((field) => works(field) && isDateField(field));

export type ChartStatistic = Measure['statistic'];

/** Those of a field that are numbers. */
export const statisticsOf = (field: Field): ChartStatistic[] =>
  validStatistics({
    type: field.type,
    cellValueType: field.cellValueType,
    isMultiple: field.isMultipleCellValue === true,
  }).filter((name): name is ChartStatistic => name !== 'count' && name !== 'earliestDate' && name !== 'latestDate');

export const measurable = (fields: readonly Field[]): Field[] =>
  fields.filter((field) => works(field) && statisticsOf(field).length > 0);

const isComputedNumber = ({ type }: Field): boolean => kindOf({ type, cellValueType: 'number' }) !== 'number';

/** What most people would count along. */
const firstGroup = (fields: readonly Field[]): Field | undefined => {
  const all = groupable(fields);
  return (
    all.find((field) => kindOf(field) === 'choice' && field.isMultipleCellValue !== true) ??
    all.find((field) => kindOf(field) === 'choice') ??
    all.find((field) => kindOf(field) === 'person') ??
    datesOf(all)[0] ??
    all[0]
  );
};

/** Money before other numbers, and what people typed before numbers of the system. */
const firstNumber = (fields: readonly Field[]): Field | undefined => {
  const all = numbersOf(fields).filter((field) => !isComputedNumber(field));
  return (
    all.find(({ options }) => (options['formatting'] as { type?: string } | undefined)?.type === 'currency') ??
    all.find(({ isComputed }) => isComputed !== true) ??
    all[0]
  );
};

export const groupingOf = (field: Field | undefined): Grouping =>
  field === undefined
    ? { fieldId: '' }
    : { fieldId: field.id, ...(isDateField(field) ? { by: 'month', fill: true } : {}) };

const count: Measure = { statistic: 'count' };

const dataOf = (fields: readonly Field[]) => {
  const group = groupingOf(firstGroup(fields));
  const number = firstNumber(fields);
  const axes = plottable(fields);
  const others = groupable(fields).filter(({ id, isPrimary }) => id !== group.fieldId && isPrimary !== true);
  const second =
    others.find((field) => ['choice', 'person'].includes(kindOf(field))) ?? datesOf(others)[0] ?? others[0];
  const y = number?.id ?? axes.at(-1)?.id ?? '';
  const [date] = datesOf(fields);
  return {
    group,
    split: null,
    measures: [number === undefined ? count : { statistic: 'sum' as const, fieldId: number.id }],
    x: (axes.find(({ id }) => id !== y) ?? axes[0])?.id ?? '',
    y,
    size: null,
    rows: [group],
    columns: second === undefined ? [] : [groupingOf(second)],
    trend: date === undefined ? null : { fieldId: date.id, by: 'month' as const },
    fieldIds: fields.slice(0, 5).map(({ id }) => id),
    sort: null,
  };
};

export const newDraft = (type: ChartType, tableId: string, fields: readonly Field[]): ChartDraft => ({
  type,
  tableId,
  viewId: null,
  filter: null,
  ...dataOf(fields),
  take: 50,
  text: '',
  description: '',
  look: {},
});

/** Of another type; what it cannot do without is chosen. */
export const withType = (draft: ChartDraft, type: ChartType, fields: readonly Field[]): ChartDraft => ({
  ...draft,
  type,
  ...(type === 'heatMap' && draft.columns.length === 0 ? { columns: dataOf(fields).columns } : {}),
});

/** Of another table nothing is left but how it looks. */
export const withTable = (draft: ChartDraft, tableId: string, fields: readonly Field[]): ChartDraft => ({
  ...draft,
  tableId,
  viewId: null,
  filter: null,
  ...dataOf(fields),
});

export const draftOf = (chart: Chart, fields: readonly Field[]): ChartDraft => {
  const draft = newDraft(chart.type, 'tableId' in chart ? chart.tableId : '', fields);
  const kept = { ...draft, description: chart.description ?? '', look: chart.look ?? {} };
  if (chart.type === 'text') return { ...kept, text: chart.text };
  const source = {
    ...kept,
    viewId: chart.viewId ?? null,
    filter: (chart.filter as FilterGroup | null | undefined) ?? null,
  };
  switch (chart.type) {
    case 'bar':
    case 'stackedBar':
    case 'line':
    case 'area':
      return { ...source, group: chart.group, measures: chart.measures, split: chart.split ?? null };
    case 'pie':
      return { ...source, group: chart.group, measures: [chart.measure] };
    case 'scatter':
      return { ...source, x: chart.x, y: chart.y, size: chart.size ?? null, split: chart.split ?? null };
    case 'heatMap':
      return { ...source, rows: [chart.rows], columns: [chart.columns], measures: [chart.measure] };
    case 'number':
      return {
        ...source,
        measures: [chart.measure],
        trend: chart.trend == null ? null : { fieldId: chart.trend.fieldId, by: chart.trend.by },
      };
    case 'pivot':
      return { ...source, rows: chart.rows, columns: chart.columns ?? [], measures: chart.measures };
    case 'records':
      return { ...source, fieldIds: chart.fieldIds ?? [], sort: chart.sort?.[0] ?? null, take: chart.take ?? 50 };
  }
};

/** Without what is empty. */
const trimmed = (look: Look): Look =>
  Object.fromEntries(
    Object.entries(look).filter(([, value]) => value !== undefined && value !== '' && value !== false),
  ) as Look;

const measured = (measure: Measure): Measure => {
  const format = Object.fromEntries(
    Object.entries(measure.format ?? {}).filter(([, value]) => value !== undefined && value !== ''),
  );
  const { label: _label, format: _format, ...rest } = measure;
  return {
    ...rest,
    ...(measure.label === undefined || measure.label.trim() === '' ? {} : { label: measure.label }),
    ...(Object.keys(format).length === 0 ? {} : { format }),
  };
};

/** Undefined as long as something is missing that it cannot do without. */
export const chartOf = (draft: ChartDraft): Chart | undefined => {
  const { type, tableId, viewId, filter, group, split, x, y, size, rows, columns, trend, fieldIds, sort, take } = draft;
  const common = {
    ...(draft.description.trim() === '' ? {} : { description: draft.description }),
    look: trimmed(draft.look),
  };
  if (type === 'text') return draft.text.trim() === '' ? undefined : { type, ...common, text: draft.text };
  if (tableId === '') return undefined;
  const source = { ...common, tableId, viewId, filter };
  const measures = draft.measures.map(measured);
  const [measure = count] = measures;
  const [row, column] = [rows[0], columns[0]];
  switch (type) {
    case 'bar':
    case 'stackedBar':
    case 'line':
    case 'area':
      if (group.fieldId === '') return undefined;
      return { type, ...source, group, measures: split === null ? measures : [measure], split };
    case 'pie':
      return group.fieldId === '' ? undefined : { type, ...source, group, measure };
    case 'scatter':
      return x === '' || y === '' ? undefined : { type, ...source, x, y, size, split };
    case 'heatMap':
      return row === undefined || column === undefined || row.fieldId === '' || column.fieldId === ''
        ? undefined
        : { type, ...source, rows: row, columns: column, measure };
    case 'number':
      return { type, ...source, measure, trend: trend === null ? null : { ...trend, periods: 12 } };
    case 'pivot':
      return rows.length === 0 || [...rows, ...columns].some(({ fieldId }) => fieldId === '')
        ? undefined
        : { type, ...source, rows: [...rows], columns: [...columns], measures };
    case 'records':
      return {
        type,
        ...source,
        ...(fieldIds.length === 0 ? {} : { fieldIds: [...fieldIds] }),
        ...(sort === null ? {} : { sort: [sort] }),
        take,
      };
  }
};
