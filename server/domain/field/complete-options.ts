import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { type Validate, validator } from '../../endpoint/validate.ts';
import { demandStorable } from './storable.ts';
import type { FieldType } from '../cell/type.ts';

const validators = new Map<FieldTypeName, Validate>();

/** Options as a client sent them → as they are kept; 400 for what the type does not understand. */
export const completeOptions = (
  type: FieldType,
  given: Record<string, unknown>,
  at: string,
): Record<string, unknown> => {
  demandStorable(given, at);
  let validate = validators.get(type.type);
  if (validate === undefined) {
    validate = validator(type.optionsSchema);
    validators.set(type.type, validate);
  }
  validate(given, at);
  return type.completeOptions(given, at);
};
