// The field types there are. Adding one: its folder, and its line here.
import type { Field } from '@rowhouse/contract/field.ts';
import type { Option } from '../ui/option-list.tsx';
import { attachment } from './attachment/attachment-type.ts';
import { autoNumber } from './auto-number/auto-number-type.ts';
import { button } from './button/button-type.ts';
import { checkbox } from './checkbox/checkbox-type.ts';
import { count } from './count/count-type.ts';
import { createdBy } from './created-by/created-by-type.ts';
import { createdTime } from './created-time/created-time-type.ts';
import { date } from './date/date-type.ts';
import type { FieldKind, FieldTypeEntry } from './field-type.ts';
import { formula } from './formula/formula-type.ts';
import { lastModifiedBy } from './last-modified-by/last-modified-by-type.ts';
import { lastModifiedTime } from './last-modified-time/last-modified-time-type.ts';
import { link } from './link/link-type.ts';
import { longText } from './long-text/long-text-type.ts';
import { lookup } from './lookup/lookup-type.ts';
import { multipleSelect } from './multiple-select/multiple-select-type.ts';
import { number } from './number/number-type.ts';
import { rating } from './rating/rating-type.ts';
import { conditionalRollup, rollup } from './rollup/rollup-type.ts';
import { singleLineText } from './single-line-text/single-line-text-type.ts';
import { singleSelect } from './single-select/single-select-type.ts';
import { user } from './user/user-type.ts';

/** In the order in which they are offered. */
const fieldTypes: Record<FieldKind, FieldTypeEntry> = {
  singleLineText,
  longText,
  number,
  singleSelect,
  multipleSelect,
  date,
  checkbox,
  rating,
  user,
  attachment,
  link,
  lookup,
  rollup,
  count,
  formula,
  button,
  autoNumber,
  createdTime,
  lastModifiedTime,
  createdBy,
  lastModifiedBy,
  conditionalRollup,
};

/** Of one that this version of the app does not know, its cells are shown as text. */
export const fieldTypeOf = (type: FieldKind): FieldTypeEntry => fieldTypes[type] ?? singleLineText;

export const allKinds = Object.keys(fieldTypes) as FieldKind[];

export const kindOfField = ({ type, isLookup }: Pick<Field, 'type' | 'isLookup'>): FieldKind =>
  isLookup === true ? 'lookup' : type;

/** A field in a list to pick from. */
export const fieldOption = (field: Field): Option => ({
  value: field.id,
  label: field.name,
  icon: fieldTypeOf(kindOfField(field)).icon,
});
