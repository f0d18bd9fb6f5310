// What the dialog of a field asks for each field type; those that are not named are asked nothing.
import { buttonForm } from './button/button-form.tsx';
import { createdTimeForm, dateForm } from './date/date-form.tsx';
import { checkboxForm } from './checkbox/checkbox-form.tsx';
import type { FieldKind } from './field-type.ts';
import { formulaForm } from './formula/formula-editor.tsx';
import { lastModifiedByForm, lastModifiedTimeForm } from './last-modified-time/last-modified-time-form.tsx';
import { linkForm } from './link/link-form.ts';
import { countForm, lookupForm, rollupForm } from './lookup/lookup-form.ts';
import { numberForm } from './number/number-form.tsx';
import type { FieldForm } from './option/field-form.ts';
import { ratingForm } from './rating/rating-form.tsx';
import { longTextForm, singleLineTextForm } from './single-line-text/text-form.tsx';
import { multipleSelectForm, singleSelectForm } from './single-select/select-form.tsx';
import { userForm } from './user/user-form.tsx';

const forms: Partial<Record<FieldKind, FieldForm>> = {
  singleLineText: singleLineTextForm,
  longText: longTextForm,
  number: numberForm,
  singleSelect: singleSelectForm,
  multipleSelect: multipleSelectForm,
  date: dateForm,
  checkbox: checkboxForm,
  rating: ratingForm,
  user: userForm,
  attachment: { canBeRequired: true },
  link: linkForm,
  lookup: lookupForm,
  rollup: rollupForm,
  count: countForm,
  formula: formulaForm,
  button: buttonForm,
  createdTime: createdTimeForm,
  lastModifiedTime: lastModifiedTimeForm,
  lastModifiedBy: lastModifiedByForm,
};

export const fieldFormOf = (kind: FieldKind): FieldForm => forms[kind] ?? {};
