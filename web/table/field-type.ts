// What the app says about each field type: its name, what it is for, its icon.
import type { FieldTypeName } from '@rowhouse/contract/field.ts';
import { AlignLeft, CalendarClock, CalendarDays, CircleChevronDown, Hash, History, ListChecks, type LucideIcon, Sigma, SquareCheck, Star, Type, UserPen, UserRound, UserRoundPlus } from 'lucide-react';

export interface FieldTypeInfo {
  type: FieldTypeName;
  label: string;
  meaning: string;
  icon: LucideIcon;
}

export const fieldTypeInfos: readonly FieldTypeInfo[] = [
  { type: 'singleLineText', label: 'Text', meaning: 'A line of text', icon: Type },
  { type: 'longText', label: 'Long text', meaning: 'Text of several lines', icon: AlignLeft },
  { type: 'number', label: 'Number', meaning: 'Decimal, percent or currency', icon: Hash },
  { type: 'singleSelect', label: 'Select', meaning: 'One of a list of choices', icon: CircleChevronDown },
  { type: 'multipleSelect', label: 'Tags', meaning: 'Several of a list of choices', icon: ListChecks },
  { type: 'date', label: 'Date', meaning: 'A day, or a day and time', icon: CalendarDays },
  { type: 'checkbox', label: 'Checkbox', meaning: 'Yes or no', icon: SquareCheck },
  { type: 'rating', label: 'Rating', meaning: 'Stars', icon: Star },
  { type: 'user', label: 'People', meaning: 'People of this base', icon: UserRound },
  { type: 'autoNumber', label: 'Auto number', meaning: 'Counts up by itself', icon: Sigma },
  { type: 'createdTime', label: 'Created time', meaning: 'When the record was made', icon: CalendarClock },
  { type: 'lastModifiedTime', label: 'Last modified time', meaning: 'When it was last changed', icon: History },
  { type: 'createdBy', label: 'Created by', meaning: 'Who made the record', icon: UserRoundPlus },
  { type: 'lastModifiedBy', label: 'Last modified by', meaning: 'Who changed it last', icon: UserPen },
];

export const fieldTypeInfo = (type: FieldTypeName): FieldTypeInfo => fieldTypeInfos.find((info) => info.type === type) ?? (fieldTypeInfos[0] as FieldTypeInfo);
