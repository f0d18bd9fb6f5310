// Fields that show something of other records, in the dialog of a field. To people a rollup by a condition is a rollup.
import type { Field, FieldTypeName, LookupOptions as Lookup } from '@rowhouse/contract/field.ts';
import type { FieldKind } from '../field-type.ts';
import { kindOfField } from '../field-types.ts';
import type { FieldForm } from '../option/field-form.ts';
import { isByCondition, LookupOptions } from './lookup-options.tsx';

const isFound = (lookup: Lookup): boolean =>
  isByCondition(lookup) ? lookup.foreignTableId !== '' : lookup.linkFieldId !== undefined;

const places = [
  'lookupOptions.linkFieldId',
  'lookupOptions.foreignTableId',
  'lookupOptions.lookupFieldId',
  'lookupOptions.filter',
  'lookupOptions.sort.fieldId',
  'lookupOptions.limit',
  'options.expression',
];

export const lookupForm: FieldForm = {
  Options: LookupOptions,
  looksUp: true,
  isComplete: (_options, lookup) => isFound(lookup) && lookup.lookupFieldId !== undefined,
  places: [...places, 'type'],
};

export const rollupForm: FieldForm = {
  Options: LookupOptions,
  looksUp: true,
  isComplete: (options, lookup) =>
    isFound(lookup) && lookup.lookupFieldId !== undefined && options['expression'] !== undefined,
  places,
};

export const countForm: FieldForm = {
  Options: LookupOptions,
  looksUp: true,
  begin: { formatting: { type: 'decimal', precision: 0 } },
  isComplete: (_options, lookup) => !isByCondition(lookup) && isFound(lookup),
  places,
};

const isConditionalRollup = (field: Field): boolean => kindOfField(field) === 'conditionalRollup';

/** As what the dialog shows a field. */
export const kindInDialog = (field: Field): FieldKind => (isConditionalRollup(field) ? 'rollup' : kindOfField(field));

/** Of a lookup only how it shows things is its own; the rest is of the field that it shows. */
export const ownOptions = (field: Field): Record<string, unknown> => {
  if (isConditionalRollup(field)) {
    const {
      foreignTableId: _table,
      lookupFieldId: _field,
      filter: _filter,
      sort: _sort,
      limit: _limit,
      ...rest
    } = field.options;
    return rest;
  }
  if (field.isLookup !== true) return field.options;
  const { formatting, showAs } = field.options;
  return { ...(formatting === undefined ? {} : { formatting }), ...(showAs === undefined ? {} : { showAs }) };
};

const asked = ['linkFieldId', 'foreignTableId', 'lookupFieldId', 'filter', 'sort', 'limit'] as const;

/** What a lookup shows, without what the server adds. */
export const askedOf = (field: Field | undefined): Lookup => {
  const given = field === undefined ? {} : isConditionalRollup(field) ? field.options : (field.lookupOptions ?? {});
  return Object.fromEntries(asked.flatMap((key) => (given[key] == null ? [] : [[key, given[key]]])));
};

/** `sourceType` is the type of the field that is looked up. */
export const lookupDefinition = (
  kind: FieldKind,
  sourceType: FieldTypeName,
  options: Record<string, unknown>,
  lookup: Lookup,
) => {
  const isConditional = isByCondition(lookup);
  return {
    type: kind === 'lookup' ? sourceType : isConditional && kind === 'rollup' ? ('conditionalRollup' as const) : kind,
    options,
    lookupOptions: lookup,
    ...(kind === 'lookup' ? { isLookup: true, isConditionalLookup: isConditional } : {}),
  };
};
