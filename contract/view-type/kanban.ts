// Records as cards in stacks.
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

export const kanban = {
  ...ofRecords,
  options: Type.Object(
    {
      stackFieldId: Type.Optional(fieldReference),
      coverFieldId: orNull(fieldReference),
      colorFieldId: colorFieldReference,
      isCoverFit: flag,
      isFieldNameHidden: flag,
      isEmptyStackHidden: flag,
      colorRules,
      recordTemplateId,
      totalFieldId: Type.Optional(
        Type.Union([fieldReference, Type.Null()], {
          description: 'Id of a field with numbers: its total is shown above each stack.',
        }),
      ),
      totalFunc: Type.Optional(Type.Enum(['sum', 'average', 'min', 'max'], { description: '`sum` when left out.' })),
    },
    strict,
  ),
  references: {
    stackFieldId: { kinds: ['choice', 'person', 'link'], expected: 'a select, user or link field', isNeeded: true },
    coverFieldId: aFile,
    colorFieldId: aChoice,
    totalFieldId: { kinds: ['number'], expected: 'a field with numbers', isNeeded: false },
  },
  offersPeople: true,
} as const satisfies ViewTypeShape;
