// Rules that colour the records of a view, and which of them hold for a record. The first that holds for a row, or for a cell, counts.
import { type Static, Type } from 'typebox';
import { colors } from './color.ts';
import { Filter, type FilterGroup } from './filter.ts';
import { type Asker, type MatchField, matchOf } from './matches.ts';

const fieldReference = Type.String({ maxLength: 100, description: 'Id of a field of the table.' });

export const ColorRule = Type.Object(
  {
    on: Type.Enum(['row', 'cells'], { description: 'The whole record, or cells of it.' }),
    fieldIds: Type.Optional(
      Type.Array(fieldReference, { minItems: 1, maxItems: 100, description: 'Whose cells, for `cells`.' }),
    ),
    by: Type.Enum(['condition', 'choice', 'scale'], {
      description:
        '`condition`: records that `filter` finds get `color`. `choice`: the colour of the choice in `fieldId`. `scale`: the cells of the number `fieldId`, the stronger the nearer to `max`.',
    }),
    filter: Type.Optional(Filter),
    fieldId: Type.Optional(fieldReference),
    color: Type.Optional(Type.Enum([...colors])),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
  },
  { additionalProperties: false },
);
export type ColorRule = Static<typeof ColorRule>;

export const colorRulesOf = ({ options }: { options: Readonly<Record<string, unknown>> }): ColorRule[] =>
  (options['colorRules'] as ColorRule[] | null | undefined) ?? [];

const fieldIdsIn = (filter: FilterGroup): string[] =>
  filter.filterSet.flatMap((item) => ('filterSet' in item ? fieldIdsIn(item) : [item.fieldId]));

/** The fields whose cells decide. */
export const decidingFields = ({ filter, fieldId }: ColorRule): string[] => [
  ...(filter == null ? [] : fieldIdsIn(filter as FilterGroup)),
  ...(fieldId === undefined ? [] : [fieldId]),
];

/** What a rule paints: a named colour, for a scale with how strong it is, from 0 to 1. */
export interface Paint {
  color: string;
  strength?: number;
}

type Fields = ReadonlyMap<string, MatchField>;

const choiceColorOf = (field: MatchField | undefined, cell: unknown): Paint | undefined => {
  const [name] = [cell].flat();
  const choices = (field?.options['choices'] ?? []) as { name: string; color: string }[];
  const color = choices.find((choice) => choice.name === name)?.color;
  return color === undefined ? undefined : { color };
};

const paintOf = (
  rule: ColorRule,
  fields: Fields,
  cells: Readonly<Record<string, unknown>>,
  asker: Asker,
): Paint | undefined => {
  // Of a field that the reader does not see a rule tells nothing.
  if (decidingFields(rule).some((id) => !fields.has(id))) return undefined;
  const { by, filter, fieldId = '', color, min = 0, max = 100 } = rule;
  if (by === 'choice') return choiceColorOf(fields.get(fieldId), cells[fieldId]);
  if (color === undefined) return undefined;
  if (by === 'scale') {
    const cell = cells[fieldId];
    if (typeof cell !== 'number' || max === min) return undefined;
    return { color, strength: Math.min(1, Math.max(0, (cell - min) / (max - min))) };
  }
  return matchOf(filter as FilterGroup, fields, cells, asker) === true ? { color } : undefined;
};

export interface RecordColors {
  row?: Paint;
  cells: ReadonlyMap<string, Paint>;
}

export const colorsOf = (
  rules: readonly ColorRule[],
  fields: Fields,
  cells: Readonly<Record<string, unknown>>,
  asker: Asker,
): RecordColors => {
  let row: Paint | undefined;
  const painted = new Map<string, Paint>();
  for (const rule of rules) {
    const targets = (rule.by === 'scale' ? [rule.fieldId ?? ''] : (rule.fieldIds ?? [])).filter(
      (id) => !painted.has(id),
    );
    if (rule.on === 'row' ? row !== undefined : targets.length === 0) continue;
    const paint = paintOf(rule, fields, cells, asker);
    if (paint === undefined) continue;
    if (rule.on === 'row') row = paint;
    else for (const id of targets) painted.set(id, paint);
  }
  return { ...(row === undefined ? {} : { row }), cells: painted };
};
