// What a board can be stacked by.
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';

export const stackFields = (fields: readonly Field[]): Field[] => fields.filter(({ type, isLookup, isMultipleCellValue, hasError }) => isLookup !== true && (type === 'singleSelect' || (type === 'link' && isMultipleCellValue !== true && hasError !== true)));

export const stackFieldOf = (view: View, fields: readonly Field[]): Field | undefined => stackFields(fields).find(({ id }) => id === view.options['stackFieldId']) ?? stackFields(fields).find(({ type }) => type === 'singleSelect') ?? stackFields(fields)[0];
