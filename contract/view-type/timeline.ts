// Records as bars along time, in lanes.
import { Type } from 'typebox';
import {
  anyField,
  colorRules,
  type FieldReference,
  fieldReference,
  ofRecords,
  orNull,
  recordTemplateId,
  strict,
  type ViewTypeShape,
} from '../view-type.ts';

const oneDate: FieldReference = { kinds: ['date'], expected: 'a field with one date', isNeeded: true, isSingle: true };
export const oneNumber: FieldReference = {
  kinds: ['number'],
  expected: 'a field with one number',
  isNeeded: true,
  isSingle: true,
};

/** Of everything that draws bars. */
export const barOptions = {
  startDateFieldId: orNull(fieldReference),
  endDateFieldId: orNull(fieldReference),
  durationFieldId: Type.Optional(
    Type.Union([fieldReference, Type.Null()], {
      description:
        'Id of a field with numbers: how many working days a record lasts, when `endDateFieldId` names no field. With neither, records last for a day.',
    }),
  ),
  laneFieldId: Type.Optional(
    Type.Union([fieldReference, Type.Null()], {
      description: 'Id of a field: records with the same cell stand together.',
    }),
  ),
  workingDays: orNull(
    Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      maxItems: 7,
      uniqueItems: true,
      description: 'From 1 for Monday to 7 for Sunday; when there are none, every day counts.',
    }),
  ),
  holidays: orNull(
    Type.Array(Type.String({ format: 'date', maxLength: 10 }), {
      maxItems: 1_000,
      description: 'Days such as `2026-12-25` that are no working days, whatever weekday they are.',
    }),
  ),
  lostOptions: orNull(
    Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: 20,
      description:
        'Written by the server: options whose field is gone, no longer fits or is not shown to the reader. The view says so until they are set again, to null as well.',
    }),
  ),
  colorRules,
  recordTemplateId,
};

export const barReferences = {
  startDateFieldId: oneDate,
  endDateFieldId: oneDate,
  durationFieldId: oneNumber,
  laneFieldId: anyField,
} satisfies Record<string, FieldReference>;

export const timeline = {
  ...ofRecords,
  options: Type.Object(barOptions, strict),
  references: barReferences,
  tellsLost: true,
  exports: ['ics'],
} as const satisfies ViewTypeShape;
