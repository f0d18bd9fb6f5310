// What a field type is to the rest of the app: an entry object in the folder of the type. field-types.ts lists them. How its cells are edited
// is in cell-editors.ts, what the dialog of a field asks in field-forms.ts: people who only look at a shared view load neither.
import type { Attachment } from '@rowhouse/contract/attachment.ts';
import type { Field, FieldTypeName } from '@rowhouse/contract/field.ts';
import type { LucideIcon } from 'lucide-react';
import type { BasePerson } from '../record-data/queries.ts';

/** What a field is to people: a lookup has the type of what it shows, and is something else all the same. */
export type FieldKind = FieldTypeName | 'lookup';

/** As much of a field as its cells need to be shown. */
export type CellField = Pick<Field, 'type' | 'options'> & Partial<Pick<Field, 'cellValueType' | 'isMultipleCellValue'>>;

export interface ShownPill {
  text: string;
  /** Of a choice. */
  color?: string;
  person?: { id: string; title: string };
}

/** The shapes that cells have on the screen: the grid, cards and printed tables each draw these. */
export type Shown =
  /** Numbers stand at the right, and are never cut into other numbers. */
  | { as: 'text'; isNumber?: boolean }
  /** `left`: how many more there are. */
  | { as: 'pills'; pills: readonly ShownPill[]; left: number }
  | { as: 'tick'; isTicked: boolean }
  | { as: 'stars'; count: number; most: number }
  | { as: 'files'; files: readonly Attachment[] }
  /** `isUsedUp`: pressed as often as it may be. */
  | { as: 'pressable'; label: string; color: string; isUsedUp: boolean };

/** What somebody typed or pasted, as a value or with the reason why it is none. */
export type Draft = { ok: true; value: unknown } | { ok: false; reason: string };

export const fits = (value: unknown): Draft => ({ ok: true, value });
export const refuse = (text: string, reason: string): Draft => ({ ok: false, reason: `“${text}” ${reason}` });

export interface FieldTypeEntry {
  label: string;
  meaning: string;
  icon: LucideIcon;
  /** What people look for by another name: this type with these options. */
  variants?: readonly { label: string; meaning: string; icon: LucideIcon; options: Record<string, unknown> }[];
  /** It cannot be chosen for a field. */
  isHidden?: true;

  /** A cell as text, for people, for copies and for screen readers. */
  text: (field: CellField, value: unknown) => string;
  /** The text as it is read in cells and on cards; without this it is the same. */
  plain?: (text: string) => string;
  /** As text, without it. Of a long list as many as `most`. */
  show?: (field: CellField, value: unknown, most: number) => Shown;
  /** Lists are given to `text` and `show` as they are. Without it a list, as lookups have them, is the texts of its items. */
  takesLists?: true;
  /** Its cells are pressed, also those that hold nothing yet. */
  isPressed?: true;
  /** Too large to be shown beside others, where records are listed. */
  isLarge?: true;

  /** Text that was typed or pasted, without spaces around it. Without this the text is the value. */
  read?: (field: Field, text: string, people: readonly BasePerson[]) => Draft;
  /** Types of the same word can take each other's values when they are pasted. */
  valueKind?: string;
  /** A value that was copied from a type of the same kind. Without this it fits. */
  readValue?: (field: Field, value: unknown, text: string, people: readonly BasePerson[]) => Draft;
  /** The table whose records the cells name. */
  leadsTo?: (field: Pick<Field, 'options'>) => string;
  /** The value names things that the server has to look for. */
  isByName?: (value: unknown) => boolean;
  /** It may name things that the server has to make. */
  namesNew?: (field: Pick<Field, 'options'>, value: unknown) => boolean;

  /** What the address of a form says it begins with; undefined for what does not fit. */
  readAddress?: (field: Field, text: string) => unknown;
  /** Its default value is what cells hold, so that a form can show it. */
  defaultIsCell?: true;
  /** A value for examples of requests; undefined if there is none that the server would take. */
  example?: (field: Field) => unknown;
  /** Sums and averages, where they are shown like cells. */
  statisticText?: (field: Pick<Field, 'options'>, value: number) => string;
}
