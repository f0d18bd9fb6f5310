// What the dialog of a field asks for a field type. field-forms.ts lists them.
import type { Field, LookupOptions } from '@rowhouse/contract/field.ts';
import type { ComponentType } from 'react';
import type { BasePerson } from '../../record-data/queries.ts';
import type { FieldKind } from '../field-type.ts';

export interface OptionsProps {
  options: Record<string, unknown>;
  onChange: (options: Record<string, unknown>) => void;
}

/** What every form is given; each takes what it needs. */
export interface FormProps extends OptionsProps {
  tableId: string;
  kind: FieldKind;
  /** The field as it is, when it is changed. */
  field: Field | undefined;
  /** Of the table: formulas name them. */
  fields: readonly Field[];
  /** The record that the cursor is in. */
  recordId: string | undefined;
  people: readonly BasePerson[];
  /** What the field will be called. */
  name: string;
  /** Of a link: the name of the field at its other end. */
  otherName: string;
  onOtherName: (name: string) => void;
  /** Of a field that becomes a link: whether records that its texts name and that are missing are created. */
  createsMissing: boolean;
  onCreatesMissing: (creates: boolean) => void;
  lookup: LookupOptions;
  /** `source` is the field that is looked up. */
  onLookup: (lookup: LookupOptions, source: Field | undefined) => void;
  /** There is no link yet: one has to be made first. */
  onMakeLink: () => void;
  /** What the server found wrong at a place. */
  issue: (path: string) => string | undefined;
}

export interface DefaultProps {
  label: string;
  options: Record<string, unknown>;
  people: readonly BasePerson[];
  /** What is set now. */
  given: unknown;
  /** Nothing, an empty text and an empty list take the default away. */
  set: (value: unknown) => void;
}

export interface FieldForm {
  Options?: ComponentType<FormProps>;
  Default?: ComponentType<DefaultProps>;
  /** A cell of it as forms begin with: chosen, not typed. */
  Choose?: ComponentType<DefaultProps>;
  /** Texts become its cells only when it is known which number is the day. */
  asksDateOrder?: true;
  canBeUnique?: true;
  canBeRequired?: true;
  /** It shows something of other records, which are found first. */
  looksUp?: true;
  /** What a new one begins with. */
  begin?: Record<string, unknown>;
  /** The same, for a field that is made and not converted. */
  beginNew?: () => Record<string, unknown>;
  isComplete?: (options: Record<string, unknown>, lookup: LookupOptions) => boolean;
  /** Where in the form the server's findings are shown beside what is wrong. */
  places?: readonly string[];
  /** Its cells are found by what they hold as text: in place of a conversion alone. */
  convertByTitle?: (conversion: {
    tableId: string;
    field: Field;
    options: Record<string, unknown>;
    createsMissing: boolean;
    convert: (step: string) => Promise<void>;
  }) => Promise<void>;
  /** After a new one was made. */
  finish?: (made: Field, otherName: string) => Promise<void>;
}

export const none = { value: '', label: 'None' };
