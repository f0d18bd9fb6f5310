// Records on their days.
import { Type } from 'typebox';
import { colors } from '../color.ts';
import {
  aChoice,
  aDate,
  anyField,
  colorRules,
  recordTemplateId,
  fieldReference,
  ofRecords,
  orNull,
  strict,
  type ViewTypeShape,
} from '../view-type.ts';

export const calendar = {
  ...ofRecords,
  options: Type.Object(
    {
      startDateFieldId: orNull(fieldReference),
      endDateFieldId: orNull(fieldReference),
      titleFieldId: orNull(fieldReference),
      colorRules,
      recordTemplateId,
      colorConfig: orNull(
        Type.Object(
          {
            type: Type.Enum(['field', 'custom']),
            fieldId: orNull(fieldReference),
            color: orNull(Type.Enum([...colors])),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  references: {
    startDateFieldId: aDate,
    endDateFieldId: aDate,
    titleFieldId: anyField,
    'colorConfig.fieldId': aChoice,
  },
  exports: ['ics'],
} as const satisfies ViewTypeShape;
