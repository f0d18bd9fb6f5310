// What a form view says, as the builder and the form read it.
import type { Field } from '@rowhouse/contract/field.ts';
import { type FormColumn, type FormColumns, formFields } from '@rowhouse/contract/form.ts';
import type { MatchField } from '@rowhouse/contract/matches.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { type ComponentType, createContext } from 'react';
import { fieldTypeOf } from '../../field-type/field-types.ts';
import type { EditorProps } from '../../field-type/editor/editor-props.ts';

interface FormOptions {
  title?: string;
  submitLabel?: string;
  coverUrl?: string;
  coverColor?: string | null;
  thanksTitle?: string;
  thanksText?: string;
  isAnotherHidden?: boolean;
}

export const formOptions = (view: View): FormOptions => view.options as FormOptions;
export const columnsOfForm = (view: View): FormColumns => view.columnMeta as FormColumns;
export const formColumn = (view: View, fieldId: string): FormColumn => columnsOfForm(view)[fieldId] ?? {};

/** What the form asks. */
export const questionOf = (view: View, field: Field): string => formColumn(view, field.id).title || field.name;

export const titleOf = (view: View): string => formOptions(view).title || view.name;
export const submitLabelOf = (view: View): string => formOptions(view).submitLabel || 'Submit';

type AskedField = Field & MatchField;

const canBeAsked = (field: Field): boolean => field.isComputed !== true;

export const fieldsOfForm = (view: View, fields: readonly Field[]): AskedField[] =>
  formFields(
    fields.filter(canBeAsked).map((field) => ({ ...field, isMultiple: field.isMultipleCellValue === true })),
    columnsOfForm(view),
  );

/** Fields that somebody could put into the form. */
export const fieldsLeft = (view: View, fields: readonly Field[]): Field[] =>
  fields.filter((field) => canBeAsked(field) && formColumn(view, field.id).visible !== true);

export const isRequired = (view: View, field: Field): boolean =>
  field.notNull === true || formColumn(view, field.id).required === true;

/** What the form begins with: its own values, or the default values of the fields as far as they can be shown. */
export const firstCells = (view: View, fields: readonly Field[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const value =
        formColumn(view, field.id).defaultValue ??
        (fieldTypeOf(field.type).defaultIsCell === true ? field.options['defaultValue'] : undefined);
      return value === undefined || value === null ? [] : [[field.id, value]];
    }),
  );

/** A picture of this server; others are kept out by the content security policy. */
export const ownPicture = (url: string | undefined): string | undefined =>
  url !== undefined && /^\/(?!\/)/.test(url) ? url : undefined;

/** Where records are chosen in a form: those of a share cannot be looked for in the table that a link leads to. */
export const EditorOfLinks = createContext<ComponentType<EditorProps> | null>(null);
