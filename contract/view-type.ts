// What a view type is to server and app alike: one entry, in view-type/<type>.ts; view-types.ts lists them. How it looks is in web/view-type/<type>/.
import { type TSchema, type TUnion, type TNull, type TOptional, Type } from 'typebox';
import { ColorRule } from './color-rule.ts';
import type { CellKind } from './field.ts';

/** What an option that names a field asks of it. */
export interface FieldReference {
  /** What the field must be; null means any. */
  kinds: readonly CellKind[] | null;
  expected: string;
  /** The view cannot do without it: it is shown, also when its column is hidden. */
  isNeeded: boolean;
  /** Its cells hold one value each. */
  isSingle?: true;
  /** It is a link between records of the same table. */
  leadsToOwnTable?: true;
}

export interface ViewTypeShape {
  /** Options and columns; both are strict. */
  options: TSchema;
  column: TSchema;
  /** Columns say `hidden` or `visible`; what they say nothing about is shown, or not. */
  columns: 'hidden' | 'visible';
  /** Whether the primary field is always shown. */
  hasPrimary: boolean;
  /** The options that name a field, by their path: `stackFieldId`, `colorConfig.fieldId`. */
  references: Readonly<Record<string, FieldReference>>;
  /** Which columns of a new view are shown, of those that `columns: 'visible'` hides. */
  showsAtFirst: (field: { isPrimary: boolean; isComputed: boolean }) => boolean;
  /** Its share shows records, or collects them. */
  share: 'records' | 'answers';
  /** A share of it offers people to choose from, beside those that are in cells. */
  offersPeople: boolean;
  /** The option `lostOptions` says which options have lost their field, so that the view can say so. */
  tellsLost?: true;
  /** The files that can be made of what it shows. */
  exports: readonly ('csv' | 'jsonl' | 'xlsx' | 'ics')[];
}

export const strict = { additionalProperties: false };
export const orNull = <T extends TSchema>(schema: T): TOptional<TUnion<[T, TNull]>> =>
  Type.Optional(Type.Union([schema, Type.Null()]));
export const fieldReference = Type.String({ maxLength: 100, description: 'Id of a field of the table.' });
export const flag = Type.Optional(Type.Boolean());
export const order = Type.Optional(Type.Number({ description: 'Columns stand in ascending order of it.' }));

/** An option of every view that draws records. */
export const colorRules = orNull(
  Type.Array(ColorRule, { maxItems: 50, description: 'Colours of rows and cells; the first rule that holds counts.' }),
);

/** An option of every view that adds records. */
export const recordTemplateId = Type.Optional(
  Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
    description: 'Id of the record template that new records begin with in this view.',
  }),
);

/** Of views that draw records as cards. */
const cardColumn = Type.Object({ order, visible: flag }, strict);
export const colorFieldReference = Type.Optional(
  Type.Union([fieldReference, Type.Null()], {
    description: 'Id of a select field: its choice gives the card a band of colour.',
  }),
);

export const anyField: FieldReference = { kinds: null, expected: 'a field of this table', isNeeded: true };
export const aDate: FieldReference = { kinds: ['date'], expected: 'a date field', isNeeded: true };
export const aFile: FieldReference = { kinds: ['file'], expected: 'an attachment field', isNeeded: true };
export const aChoice: FieldReference = { kinds: ['choice'], expected: 'a select field', isNeeded: true };

/** What most types have in common. */
export const ofRecords = {
  column: cardColumn,
  columns: 'visible',
  hasPrimary: true,
  showsAtFirst: ({ isPrimary }: { isPrimary: boolean }): boolean => isPrimary,
  share: 'records',
  offersPeople: false,
  exports: [],
} as const satisfies Omit<ViewTypeShape, 'options' | 'references'>;
