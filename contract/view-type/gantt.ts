// Records as bars along time, one below the other, with what waits for what.
import { Type } from 'typebox';
import { type FieldReference, fieldReference, flag, ofRecords, strict, type ViewTypeShape } from '../view-type.ts';
import { barOptions, barReferences, oneNumber } from './timeline.ts';

const ownLink: FieldReference = {
  kinds: ['link'],
  expected: 'a link to records of the same table',
  isNeeded: true,
  leadsToOwnTable: true,
};

export const gantt = {
  ...ofRecords,
  options: Type.Object(
    {
      ...barOptions,
      dependencyFieldId: Type.Optional(
        Type.Union([fieldReference, Type.Null()], {
          description: 'Id of a link to the same table: the records that have to be finished before this one begins.',
        }),
      ),
      lag: Type.Optional(
        Type.Union([Type.Number({ minimum: -10_000, maximum: 10_000 }), Type.Null()], {
          description:
            'Working days between the end of a record and the beginning of what waits for it; below zero it begins before that end. 0 when absent.',
        }),
      ),
      lagFieldId: Type.Optional(
        Type.Union([fieldReference, Type.Null()], {
          description: 'Id of a field with numbers: the lag of a record behind what it waits for, in place of `lag`.',
        }),
      ),
      milestoneFieldId: Type.Optional(
        Type.Union([fieldReference, Type.Null()], {
          description: 'Id of a checkbox field: whether a record is a milestone.',
        }),
      ),
      isCriticalShown: flag,
    },
    strict,
  ),
  references: {
    ...barReferences,
    dependencyFieldId: ownLink,
    lagFieldId: oneNumber,
    milestoneFieldId: { kinds: ['boolean'], expected: 'a checkbox field', isNeeded: true, isSingle: true },
  },
  tellsLost: true,
  exports: ['ics'],
} as const satisfies ViewTypeShape;
