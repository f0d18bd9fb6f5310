// Reads what a client wants a view to be, against the fields of its table: every field must exist and fit its
// place, every operator must be one of the field's type. What is answered holds only what was understood.
import { forbidden, type Issue, invalid } from '@rowhouse/contract/error.ts';
import { readFilter } from '@rowhouse/contract/filter.ts';
import { fieldsNamedBy, shapeOf, type ViewType, viewTypes } from '@rowhouse/contract/view-types.ts';
import type { FieldSchema, ViewSchema } from '../../catalog/table.ts';
import { type Validate, validator } from '../../endpoint/validate.ts';
import { readColorRules } from '../field/color-rules.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { fits, readFormDefault } from '../field/view-reference.ts';

export type Fields = ReadonlyMap<string, FieldSchema>;

const byType = (part: 'options' | 'column'): Record<ViewType, Validate> =>
  Object.fromEntries(viewTypes.map((type) => [type, validator(shapeOf(type)[part])])) as Record<ViewType, Validate>;
const validateOptions = byType('options');
const validateColumn = byType('column');

const unknownField = (path: string, fieldId: unknown): Issue => ({
  path,
  message: `The table has no field ${JSON.stringify(fieldId)?.slice(0, 100)}`,
  expected: 'the id of a field of this table',
});

const typeOf = (field: FieldSchema): string => `"${field.name}" is of type ${field.type}`;

export const readOptions = (
  type: ViewType,
  given: Record<string, unknown>,
  fields: Fields,
  at: string,
  keeps?: Keeps,
): Record<string, unknown> => {
  validateOptions[type](given, at);
  const issues = fieldsNamedBy({ type, options: given }).flatMap(({ path, fieldId, asks }) => {
    const field = fields.get(fieldId);
    if (field === undefined) return [unknownField(`${at}.${path}`, fieldId)];
    const { expected } = asks;
    return fits(field, asks)
      ? []
      : [{ path: `${at}.${path}`, message: `Expected ${expected}; ${typeOf(field)}`, expected }];
  });
  if (issues.length > 0) throw invalid(issues);
  return readColorRules(given, fields, at, keeps);
};

/** `keeps`: which conditions may stay although they no longer fit their fields. */
export type Keeps = (item: Record<string, unknown>) => boolean;

export const readViewFilter = (given: unknown, fields: Fields, at: string, keeps?: Keeps): ViewSchema['filter'] => {
  const { filter, issues } = readFilter(
    given,
    new Map([...fields].map(([id, field]) => [id, filterFieldOf(field)])),
    at,
    keeps,
  );
  if (issues.length > 0) throw invalid(issues);
  return filter;
};

type SortItem = { fieldId: string; order: 'asc' | 'desc' };

const readItems = (items: readonly SortItem[], fields: Fields, at: string): SortItem[] => {
  const issues = items.flatMap(({ fieldId }, index) =>
    fields.has(fieldId) ? [] : [unknownField(`${at}[${index}].fieldId`, fieldId)],
  );
  if (issues.length > 0) throw invalid(issues);
  return items.map(({ fieldId, order }) => ({ fieldId, order }));
};

export const readSort = (
  given: { sortObjs: SortItem[]; manualSort?: boolean } | null,
  fields: Fields,
  at: string,
): ViewSchema['sort'] =>
  given === null
    ? null
    : {
        sortObjs: readItems(given.sortObjs, fields, at === '' ? 'sortObjs' : `${at}.sortObjs`),
        ...(given.manualSort === undefined ? {} : { manualSort: given.manualSort }),
      };

export const readGroup = (given: SortItem[] | null, fields: Fields, at: string): ViewSchema['group'] =>
  given === null || given.length === 0 ? null : readItems(given, fields, at);

/** How one field is shown. Only a form may do without the primary field. */
export const readColumn = (
  type: ViewType,
  given: Record<string, unknown>,
  fieldId: string,
  fields: Fields,
  place: { field: string; column: string },
  keeps?: Keeps,
): Record<string, unknown> => {
  const field = fields.get(fieldId);
  if (field === undefined) throw invalid(unknownField(place.field, fieldId));
  validateColumn[type](given, place.column);
  if (field.isPrimary && shapeOf(type).hasPrimary && (given.hidden === true || given.visible === false))
    throw forbidden('The primary field cannot be hidden');
  const { condition, defaultValue } = given;
  if (defaultValue !== undefined && defaultValue !== null) {
    const result = readFormDefault(defaultValue, field);
    if (!result.ok)
      throw invalid({
        path: `${place.column}.defaultValue`,
        message: `Expected ${result.expected}`,
        expected: result.expected,
      });
  }
  return condition === undefined || condition === null
    ? given
    : { ...given, condition: readViewFilter(condition, fields, `${place.column}.condition`, keeps) };
};
