// Definitions of fields and views for those who are bound by rules: without what names fields that they do not see.
import type { Field } from '@rowhouse/contract/field.ts';
import { cellBeside, type Sight, viewsBeside } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { fieldVo } from './field-vo.ts';

const isFieldId = (value: unknown): value is string => typeof value === 'string' && /^fld[0-9A-Za-z]+$/.test(value);

/** Undefined for what is left out: ids of unseen fields, what is said of them, and conditions on them, wherever they stand. */
export const withoutUnseen = (value: unknown, sees: (fieldId: string) => boolean): unknown => {
  if (isFieldId(value)) return sees(value) ? value : undefined;
  if (Array.isArray(value)) return value.map((item) => withoutUnseen(item, sees)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const { fieldId, value: compared } = value as { fieldId?: unknown; value?: unknown };
  if (isFieldId(fieldId) && !sees(fieldId)) return undefined;
  // A condition that compares with an unseen field.
  const other = (compared as { fieldId?: unknown } | null | undefined)?.fieldId;
  if (isFieldId(fieldId) && isFieldId(other) && !sees(other)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const kept = isFieldId(key) && !sees(key) ? undefined : withoutUnseen(item, sees);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
};

/** Of this table, or of one that links lead to. */
const seesField =
  (sight: Sight) =>
  (fieldId: string): boolean => {
    if (sight.byId.has(fieldId)) return true;
    for (const [tableId, { byId }] of sight.table.related)
      if (tableId !== sight.table.id && byId.has(fieldId))
        return (cellBeside(sight, tableId, fieldId) ?? true) !== false;
    return false;
  };

/** The records that a link offers may be those of a view: one that is not there cannot be asked for. */
const withoutUnseenView = (sight: Sight, options: Record<string, unknown>): Record<string, unknown> => {
  const { filterByViewId, foreignTableId, ...others } = options;
  if (typeof filterByViewId !== 'string') return options;
  const views = viewsBeside(sight, String(foreignTableId));
  return views === null || views.has(filterByViewId) ? options : { foreignTableId, ...others };
};

/** How a field is looked up through a link that is not seen, or without a link where the field is not seen, is not told at all: names of keys and tables are in it. */
const isToldHow = (options: Record<string, unknown>, sees: (fieldId: string) => boolean): boolean => {
  const { linkFieldId, lookupFieldId } = options;
  const by = linkFieldId ?? lookupFieldId;
  return typeof by !== 'string' || sees(by);
};

/** A field as the caller sees it. For those whom no rules bind it is the field as it is. */
export const seenField = (sight: Sight, field: FieldSchema): Field => {
  const vo = fieldVo(field);
  if (sight.rule.key === undefined) return vo;
  const sees = seesField(sight);
  const cut = (part: Record<string, unknown>): Record<string, unknown> =>
    withoutUnseenView(sight, withoutUnseen(part, sees) as Record<string, unknown>);
  const { lookupOptions, ...rest } = vo;
  return {
    ...rest,
    options: cut(vo.options as Record<string, unknown>) as Field['options'],
    ...(lookupOptions === undefined || !isToldHow(lookupOptions as Record<string, unknown>, sees)
      ? {}
      : { lookupOptions: cut(lookupOptions as Record<string, unknown>) }),
  };
};
