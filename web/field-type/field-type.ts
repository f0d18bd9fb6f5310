// What the app says about each field type: its name, what it is for, its icon.
import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import type { Option } from '../ui/option-list.tsx';
import {
  AlignLeft,
  CalendarClock,
  CalendarDays,
  CircleChevronDown,
  Eye,
  Hash,
  History,
  Link2,
  ListChecks,
  type LucideIcon,
  Paperclip,
  Sigma,
  SquareSigma,
  SquareCheck,
  SquareFunction,
  Star,
  Tally5,
  Type,
  UserPen,
  UserRound,
  UserRoundPlus,
} from 'lucide-react';

/** What a field is to people: a lookup has the type of what it shows, and is something else all the same. */
export type FieldKind = FieldTypeName | 'lookup';

interface FieldTypeInfo {
  type: FieldKind;
  label: string;
  meaning: string;
  icon: LucideIcon;
}

export const fieldTypeInfos: readonly FieldTypeInfo[] = [
  { type: 'singleLineText', label: 'Text', meaning: 'One line of text', icon: Type },
  { type: 'longText', label: 'Long text', meaning: 'Several lines of text', icon: AlignLeft },
  { type: 'number', label: 'Number', meaning: 'Decimal, percent or currency', icon: Hash },
  { type: 'singleSelect', label: 'Select', meaning: 'One choice from a list', icon: CircleChevronDown },
  { type: 'multipleSelect', label: 'Tags', meaning: 'Several choices from a list', icon: ListChecks },
  { type: 'date', label: 'Date', meaning: 'A date, with or without time', icon: CalendarDays },
  { type: 'checkbox', label: 'Checkbox', meaning: 'Yes or no', icon: SquareCheck },
  { type: 'rating', label: 'Rating', meaning: 'One to ten stars', icon: Star },
  { type: 'user', label: 'People', meaning: 'People who use this base', icon: UserRound },
  { type: 'attachment', label: 'Files', meaning: 'Images, documents and other files', icon: Paperclip },
  { type: 'link', label: 'Link', meaning: 'Records of another table', icon: Link2 },
  { type: 'lookup', label: 'Lookup', meaning: 'Cells of other records', icon: Eye },
  { type: 'rollup', label: 'Rollup', meaning: 'One value of other records', icon: SquareSigma },
  { type: 'count', label: 'Count', meaning: 'How many records are linked', icon: Tally5 },
  { type: 'formula', label: 'Formula', meaning: 'Computed from other fields', icon: SquareFunction },
  { type: 'autoNumber', label: 'Auto number', meaning: 'Numbers records 1, 2, 3…', icon: Sigma },
  { type: 'createdTime', label: 'Created time', meaning: 'When the record was created', icon: CalendarClock },
  { type: 'lastModifiedTime', label: 'Last modified time', meaning: 'When it was last changed', icon: History },
  { type: 'createdBy', label: 'Created by', meaning: 'Who created the record', icon: UserRoundPlus },
  { type: 'lastModifiedBy', label: 'Last modified by', meaning: 'Who changed it last', icon: UserPen },
];

/** In the dialog it is a rollup whose records a condition finds. */
const conditionalRollup: FieldTypeInfo = {
  type: 'conditionalRollup',
  label: 'Conditional rollup',
  meaning: 'One value of records that a condition finds',
  icon: SquareSigma,
};

/** Those that cannot be chosen too. */
export const allTypeInfos: readonly FieldTypeInfo[] = [...fieldTypeInfos, conditionalRollup];

export const kindOfField = ({ type, isLookup }: Pick<Field, 'type' | 'isLookup'>): FieldKind =>
  isLookup === true ? 'lookup' : type;

export const fieldTypeInfo = (type: FieldKind): FieldTypeInfo =>
  allTypeInfos.find((info) => info.type === type) ?? (fieldTypeInfos[0] as FieldTypeInfo);

/** A field in a list to pick from. */
export const fieldOption = (field: Field): Option => ({
  value: field.id,
  label: field.name,
  icon: fieldTypeInfo(kindOfField(field)).icon,
});
