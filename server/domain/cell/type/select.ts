// singleSelect and multipleSelect: names of choices. Cells hold the names, the options hold the choices.
import { Type } from 'typebox';
import { invalid } from '@rowhouse/contract/error.ts';
import { choiceColors, colors } from '@rowhouse/contract/color.ts';
import { newId } from '@rowhouse/contract/id.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { type Choice, choiceCells, choiceListCells, choicesOf } from '../kind/choice.sql.ts';
import type { CastResult, CellContext, CellType, ConversionStep, FieldType } from '../type.ts';
import { carryText } from './convert.ts';
import { asText, isStorable } from './text.ts';

const maxChoices = 5_000;

const choiceSchema = Type.Object({
  id: Type.Optional(Type.String({ maxLength: 50 })),
  name: Type.String({ minLength: 1, maxLength: 1_000 }),
  color: Type.Optional(Type.Enum([...colors])),
});

// Looked up once per cell: the set is made once per version of the options.
const nameSets = new WeakMap<object, ReadonlySet<string>>();
const namesOf = (field: FieldSchema): ReadonlySet<string> => {
  let names = nameSets.get(field.options);
  if (names === undefined) {
    names = new Set(choicesOf(field.options).map((choice) => choice.name));
    nameSets.set(field.options, names);
  }
  return names;
};

/** The colour of the choice that comes after so many others. */
export const colorAt = (count: number): string => choiceColors[count % choiceColors.length] as string;

const completeChoices = (given: Partial<Choice>[], at: string): Choice[] => {
  if (given.length > maxChoices)
    throw invalid({ path: `${at}.choices`, message: `Expected at most ${maxChoices} choices` });
  const choices: Choice[] = [];
  const names = new Set<string>();
  const ids = new Set<string>();
  given.forEach(({ id, name = '', color }, index) => {
    const trimmed = name.trim();
    const path = `${at}.choices[${index}].name`;
    if (trimmed === '' || !isStorable(trimmed)) throw invalid({ path, message: 'Expected a name that is not empty' });
    if (names.has(trimmed))
      throw invalid({ path, message: `The choice "${trimmed}" appears twice; each choice needs a name of its own` });
    names.add(trimmed);
    const own = id === undefined || ids.has(id) ? newId('cho') : id;
    ids.add(own);
    choices.push({ id: own, name: trimmed, color: color ?? colorAt(choices.length) });
  });
  return choices;
};

/** A missing choice: created, or null when the field does not allow new ones. */
const choose = (name: string, field: FieldSchema, context: CellContext): { name: string | null; created: boolean } => {
  if (namesOf(field).has(name)) return { name, created: false };
  if (field.options.preventAutoNewOptions === true || !isStorable(name) || name.length > 1_000)
    return { name: null, created: false };
  return { name: context.addChoice(field, name), created: true };
};

/** For an error, in brackets. */
const listed = (field: FieldSchema, { areChoicesHidden }: CellContext): string => {
  if (areChoicesHidden === true) return '';
  const names = [...namesOf(field)];
  const shown = names
    .slice(0, 10)
    .map((name) => `"${name.slice(0, 60)}"`)
    .join(', ');
  const all =
    names.length > 10
      ? `${shown} and ${names.length - 10} more`
      : shown === ''
        ? 'none: the field has no choices'
        : shown;
  return ` (${all})`;
};

const commonOptions = {
  choices: Type.Optional(Type.Array(choiceSchema)),
  preventAutoNewOptions: Type.Optional(Type.Boolean()),
};

const completeCommon = (
  given: Record<string, unknown>,
  at: string,
): { choices: Choice[]; preventAutoNewOptions?: boolean } => ({
  choices: completeChoices((given.choices ?? []) as Partial<Choice>[], at),
  ...(typeof given.preventAutoNewOptions === 'boolean' ? { preventAutoNewOptions: given.preventAutoNewOptions } : {}),
});

const refuseUnknownDefault = (names: readonly string[], choices: readonly Choice[], at: string): void => {
  const missing = names.find((name) => !choices.some((choice) => choice.name === name));
  if (missing !== undefined)
    throw invalid({ path: `${at}.defaultValue`, message: `"${missing}" is not among the choices` });
};

const isSelect = ({ type }: Pick<FieldSchema, 'type'>): boolean => type === 'singleSelect' || type === 'multipleSelect';

/** Choices whose name is another now, and (null) those that are gone. */
const changedChoices = (from: FieldSchema, to: FieldSchema): Map<string, string | null> => {
  const after = choicesOf(to.options);
  const byId = new Map(after.map((choice) => [choice.id, choice.name]));
  const names = new Set(after.map((choice) => choice.name));
  const changed = new Map<string, string | null>();
  for (const { id, name } of choicesOf(from.options)) {
    const next = byId.get(id) ?? (names.has(name) ? name : null);
    if (next !== name) changed.set(name, next);
  }
  return changed;
};

/** Between selects the choices stay, and a choice that was sent without its id is the one of the same name. */
const carryOptions = (
  before: FieldSchema,
  given: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined => {
  if (!isSelect(before)) return given;
  const known = new Map(choicesOf(before.options).map((choice) => [choice.name, choice]));
  const wanted = given?.choices as Partial<Choice>[] | undefined;
  const identify = (choice: Partial<Choice>): Partial<Choice> => {
    const same =
      typeof choice === 'object' && choice !== null && choice.id === undefined
        ? known.get(choice.name ?? '')
        : undefined;
    return same === undefined ? choice : { ...same, ...choice };
  };
  return { ...given, choices: Array.isArray(wanted) ? wanted.map(identify) : (wanted ?? choicesOf(before.options)) };
};

/** Old name → new name, or null for a choice that is gone. All at once: two choices may swap their names. */
const renameStep = (changed: ReadonlyMap<string, string | null>, isList: boolean): ConversionStep => {
  const names = [...changed.keys()];
  if (!isList) {
    return {
      update: (column) =>
        sql`(select n.after from unnest(${names}::text[], ${[...changed.values()]}::text[]) as n(before, after) where n.before = ${column})`,
      where: (column) => sql`${column} = any(${names}::text[])`,
    };
  }
  const mapping = JSON.stringify(Object.fromEntries(changed));
  return {
    update: (column) => sql`(
      select jsonb_agg(name order by at) from (
        select name, min(at) as at from (
          select case when ${mapping}::jsonb ? choice then ${mapping}::jsonb ->> choice else choice end as name, at
          from jsonb_array_elements_text(${column}) with ordinality as old(choice, at)
        ) mapped where name is not null group by name
      ) different)`,
    where: (column) => sql`${column} ?| ${names}::text[]`,
  };
};

const convertChoices = (from: FieldSchema, source: CellType, to: FieldSchema): ConversionStep[] | null => {
  if (!isSelect(from)) return null;
  const changed = changedChoices(from, to);
  const renames = changed.size === 0 ? [] : [renameStep(changed, source.isMultiple)];
  if (from.type === to.type) return renames;
  const toList = (column: Sql): Sql => sql`case when ${column} is not null then jsonb_build_array(${column}) end`;
  return [
    ...renames,
    source.isMultiple
      ? { retype: 'text', using: (column) => sql`${column} ->> 0` }
      : { retype: 'jsonb', using: toList },
  ];
};

const base = {
  isComputed: false,
  canBeUnique: false,
  canBeNotNull: true,
  carryOptions,
  convert: convertChoices,
  carry: carryText,
  renamedValues: (from: FieldSchema, to: FieldSchema) =>
    isSelect(from) && isSelect(to) ? changedChoices(from, to) : new Map<string, string | null>(),
} as const;

export const singleSelect: FieldType = {
  ...base,
  type: 'singleSelect',
  defaultName: 'Select',
  optionsSchema: Type.Object({
    ...commonOptions,
    defaultValue: Type.Optional(
      Type.Union([Type.String({ maxLength: 1_000 }), Type.Array(Type.String({ maxLength: 1_000 })), Type.Null()]),
    ),
  }),
  canBePrimary: true,
  cells: () => choiceCells,
  completeOptions(given, at) {
    const common = completeCommon(given, at);
    const [name] = [given.defaultValue ?? []].flat() as string[];
    if (name === undefined) return common;
    refuseUnknownDefault([name], common.choices, at);
    return { ...common, defaultValue: name };
  },
  read(value, field, context) {
    if (typeof value === 'string') {
      if (namesOf(field).has(value)) return { ok: true, value };
      const trimmed = value.trim();
      if (trimmed === '') return { ok: true, value: null };
      if (namesOf(field).has(trimmed)) return { ok: true, value: trimmed };
    }
    return { ok: false, expected: `the name of a choice${listed(field, context)}` };
  },
  cast(value, field, context) {
    const name = asText(Array.isArray(value) ? value[0] : value).trim();
    if (name === '') return { value: null, note: 'dropped' };
    const chosen = choose(name, field, context);
    return { value: chosen.name, note: chosen.name === null ? 'dropped' : chosen.created ? 'created' : 'converted' };
  },
  defaultCell: (field) => (typeof field.options.defaultValue === 'string' ? field.options.defaultValue : null),
};

/** `a, "b, c", d` → a | b, c | d */
export const splitList = (text: string): string[] =>
  [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,\r\n]*))\s*(?:[,\r\n]|$)/g)]
    .map((match) => (match[1] === undefined ? (match[2] as string) : match[1].replaceAll('""', '"')).trim())
    .filter((part) => part !== '');

const castList = (value: unknown, field: FieldSchema, context: CellContext): CastResult => {
  const parts = Array.isArray(value)
    ? value.filter((part) => part !== null).map((part) => asText(part).trim())
    : splitList(asText(value));
  let created = false;
  let dropped = false;
  const names = new Set<string>();
  for (const part of parts) {
    if (part === '') continue;
    const chosen = choose(part, field, context);
    created ||= chosen.created && chosen.name !== null;
    dropped ||= chosen.name === null;
    if (chosen.name !== null) names.add(chosen.name);
  }
  return {
    value: names.size === 0 ? null : [...names],
    note: created ? 'created' : dropped || names.size === 0 ? 'dropped' : 'converted',
  };
};

export const multipleSelect: FieldType = {
  ...base,
  type: 'multipleSelect',
  defaultName: 'Tags',
  optionsSchema: Type.Object({
    ...commonOptions,
    defaultValue: Type.Optional(
      Type.Union([Type.Array(Type.String({ maxLength: 1_000 })), Type.String({ maxLength: 1_000 }), Type.Null()]),
    ),
  }),
  canBePrimary: true,
  cells: () => choiceListCells,
  completeOptions(given, at) {
    const common = completeCommon(given, at);
    const names = [given.defaultValue ?? []].flat() as string[];
    if (names.length === 0) return common;
    refuseUnknownDefault(names, common.choices, at);
    return { ...common, defaultValue: names };
  },
  read(value, field, context) {
    const names = namesOf(field);
    if (
      Array.isArray(value) &&
      value.every((name) => typeof name === 'string' && names.has(name)) &&
      new Set(value).size === value.length
    ) {
      return { ok: true, value: value.length === 0 ? null : value };
    }
    return {
      ok: false,
      expected: `a list of different choice names${listed(field, context)}; null or [] clears the cell`,
    };
  },
  cast: castList,
  defaultCell(field) {
    const names = field.options.defaultValue;
    return Array.isArray(names) && names.length > 0 ? names : null;
  },
};
