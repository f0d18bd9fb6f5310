// Collects new records.
import { Type } from 'typebox';
import { colors } from '../color.ts';
import { Filter } from '../filter.ts';
import { text } from '../text.ts';
import { flag, order, orNull, strict, type ViewTypeShape } from '../view-type.ts';

export const form = {
  options: Type.Object(
    {
      coverUrl: Type.Optional(text({ maxLength: 2_000 })),
      logoUrl: Type.Optional(text({ maxLength: 2_000 })),
      submitLabel: Type.Optional(text({ maxLength: 255 })),
      title: Type.Optional(
        text({ maxLength: 255, description: 'Above the form; the name of the view when left out or empty.' }),
      ),
      thanksTitle: Type.Optional(text({ maxLength: 255, description: 'Shown after a record was submitted.' })),
      thanksText: Type.Optional(text({ maxLength: 10_000 })),
      isAnotherHidden: Type.Optional(
        Type.Boolean({ description: 'After a record was submitted, no button leads back to an empty form.' }),
      ),
      coverColor: orNull(Type.Enum([...colors])),
    },
    strict,
  ),
  column: Type.Object(
    {
      order,
      visible: flag,
      required: flag,
      title: orNull(text({ maxLength: 1_000, description: 'The question, in place of the name of the field.' })),
      help: orNull(
        text({ maxLength: 10_000, description: 'Said below the name of the field, in place of its description.' }),
      ),
      defaultValue: Type.Optional(
        Type.Unknown({
          description: 'What the form is filled with to begin with, as a cell of the field; null for nothing.',
        }),
      ),
      condition: orNull(Filter),
    },
    strict,
  ),
  columns: 'visible',
  hasPrimary: false,
  references: {},
  showsAtFirst: ({ isComputed }) => !isComputed,
  share: 'answers',
  offersPeople: true,
  exports: [],
} as const satisfies ViewTypeShape;
