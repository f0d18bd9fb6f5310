// A card for each record.
import { Type } from 'typebox';
import {
  aChoice,
  aFile,
  colorFieldReference,
  colorRules,
  recordTemplateId,
  fieldReference,
  flag,
  ofRecords,
  orNull,
  strict,
  type ViewTypeShape,
} from '../view-type.ts';

export const gallery = {
  ...ofRecords,
  options: Type.Object(
    {
      coverFieldId: orNull(fieldReference),
      colorFieldId: colorFieldReference,
      isCoverFit: flag,
      isFieldNameHidden: flag,
      colorRules,
      recordTemplateId,
    },
    strict,
  ),
  references: { coverFieldId: aFile, colorFieldId: aChoice },
} as const satisfies ViewTypeShape;
