import type { Field } from '@rowhouse/contract/field.ts';
import { CircleChevronDown } from 'lucide-react';
import { choicesOf, listOf } from '../cell/cell-parts.ts';
import { type Draft, type FieldTypeEntry, fits, refuse } from '../field-type.ts';

const colorsByName = new WeakMap<object, Map<string, string>>();

/** Cells are drawn with every movement: the colours of choices are looked up once per field. */
const colorOf = (options: Record<string, unknown>, name: string): string => {
  let colors = colorsByName.get(options);
  if (colors === undefined) {
    colors = new Map(choicesOf({ options }).map((choice) => [choice.name, choice.color]));
    colorsByName.set(options, colors);
  }
  return colors.get(name) ?? 'grayLight1';
};

/** The names as the choices are written, if they are there; undefined with one that is not and may not be added. */
export const chosenNames = (field: Field, names: readonly string[]): string[] | undefined => {
  const known = choicesOf(field);
  const chosen = names.map(
    (name) =>
      known.find((choice) => choice.name === name)?.name ??
      known.find((choice) => choice.name.toLowerCase() === name.toLowerCase())?.name ??
      name,
  );
  const isOpen = field.options['preventAutoNewOptions'] !== true;
  return isOpen || chosen.every((name) => known.some((choice) => choice.name === name))
    ? [...new Set(chosen)]
    : undefined;
};

export const notAmong = (field: Field, text: string): Draft =>
  refuse(text, `is not among the choices of ${field.name}.`);

export const hasChoice = (field: Pick<Field, 'options'>, name: string): boolean =>
  choicesOf(field).some((choice) => choice.name === name);

/** What selects of one and of several choices have in common. */
export const choiceCells = {
  show: ({ options }, value) => ({
    as: 'pills',
    pills: listOf(value).map((name) => ({ text: String(name), color: colorOf(options, String(name)) })),
    left: 0,
  }),
  takesLists: true,
  valueKind: 'choice',
  isByName: () => true,
  namesNew: (field, value) => listOf(value).some((name) => !hasChoice(field, String(name))),
  defaultIsCell: true,
} satisfies Partial<FieldTypeEntry>;

const readChoice = (field: Field, names: readonly string[], text: string): Draft => {
  const chosen = chosenNames(field, names);
  return chosen === undefined ? notAmong(field, text) : fits(chosen[0] ?? null);
};

export const singleSelect: FieldTypeEntry = {
  label: 'Select',
  meaning: 'One choice from a list',
  icon: CircleChevronDown,
  ...choiceCells,
  text: (_field, value) => listOf(value).map(String).join(', '),
  read: (field, text) => readChoice(field, [text], text),
  readValue: (field, value, text) => readChoice(field, listOf(value).map(String), text),
  readAddress: (field, text) => (hasChoice(field, text) ? text : undefined),
  example: (field) => choicesOf(field)[0]?.name,
};
