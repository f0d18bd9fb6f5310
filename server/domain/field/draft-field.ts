// A request for a field → the field as it shall be kept: names made unique, options completed, constraints checked.
import { invalid } from '@rowhouse/contract/error.ts';
import type { NewField } from '@rowhouse/contract/field.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import { completeOptions } from './complete-options.ts';
import { checkDbName, freeDbName } from './db-name.ts';
import type { FieldType } from '../cell/type.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';

export const maxFields = 500;

export const demandConstraints = (
  type: FieldType,
  wanted: { unique?: boolean | undefined; notNull?: boolean | undefined },
  path: (key: string) => string,
): void => {
  if (wanted.unique === true && !type.canBeUnique)
    throw invalid({
      path: path('unique'),
      message: `A field of type ${type.type} cannot be unique`,
      expected: 'false',
    });
  if (wanted.notNull === true && !type.canBeNotNull)
    throw invalid({
      path: path('notNull'),
      message: `A field of type ${type.type} cannot be required`,
      expected: 'false',
    });
};

export const draftField = (
  newId: Services['newId'],
  given: NewField,
  siblings: readonly FieldSchema[],
  at = '',
): FieldSchema => {
  const path = (key: string): string => (at === '' ? key : `${at}.${key}`);
  if (siblings.length >= maxFields) throw invalid({ path: at, message: `A table has at most ${maxFields} fields` });
  const type = fieldTypeOf(given.type);
  demandConstraints(type, given, path);
  const name = uniqueName(
    given.name ?? type.defaultName,
    siblings.map((field) => field.name),
  );
  const dbNames = new Set(siblings.map((field) => field.dbFieldName));
  return {
    id: given.id ?? newId('fld'),
    name,
    description: given.description ?? null,
    type: given.type,
    options: completeOptions(type, given.options ?? {}, path('options')),
    dbFieldName:
      given.dbFieldName === undefined
        ? freeDbName(name, dbNames)
        : checkDbName(given.dbFieldName, dbNames, path('dbFieldName')),
    isPrimary: false,
    notNull: given.notNull ?? false,
    isUnique: given.unique ?? false,
    position: siblings.reduce((last, field) => Math.max(last, field.position), -1) + 1,
    version: 1,
  };
};
