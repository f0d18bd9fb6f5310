// The values of a template: what is kept of them, and what of it a field still takes. Nothing is rewritten when fields, choices, records or people change.
import { invalid, type Issue } from '@rowhouse/contract/error.ts';
import { fitsTemplate, type RecordTemplate } from '@rowhouse/contract/record-template.ts';
import { isMe } from '@rowhouse/contract/filter.ts';
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { Context } from '../../context.ts';
import { isLink, linkedBy } from '../cell/linked.sql.ts';
import { choicesOf } from '../cell/kind/choice.sql.ts';
import { cellTypeOf, fieldTypeOf } from '../cell/types.ts';
import { fieldsBy } from '../record/read/field-key.ts';
import { seenTitles } from '../record/read/list-filter-records.ts';
import { readChangedCells } from '../record/write/cells.ts';
import { selectTitles } from '../record/write/link-targets.sql.ts';
import { isCreatable } from '../record/write/permit-create.ts';
import { peopleFor } from '../record/write/people.ts';
import { cellContext } from '../record/write/write.ts';
import type { TemplateCells, TemplateRow } from './record-template.sql.ts';

/** Characters of the values of one template, as JSON. */
const largest = 500_000;

export const mayHold = (field: FieldSchema): boolean =>
  fitsTemplate({
    type: field.type,
    isComputed: field.isLookup === true || fieldTypeOf(field).isComputed,
    unique: field.isUnique,
    options: field.options,
  }) &&
  (!isLink(field) || linkedBy(field) !== undefined);

const idsIn = (value: unknown): string[] =>
  [value].flat().flatMap((item) => {
    const id = (item as { id?: unknown } | null)?.id;
    return typeof id === 'string' ? [id] : [];
  });

/** Of records and people the ids alone: what they are called, and who may see it, is looked up. */
const kept = (field: FieldSchema, value: unknown): unknown => {
  if (!isLink(field) && fieldTypeOf(field).namesPeople !== true) return value;
  const ids = idsIn(value).map((id) => ({ id }));
  return Array.isArray(value) ? ids : ids[0];
};

const choiceIds = (field: FieldSchema, value: unknown): Record<string, string> | undefined =>
  cellTypeOf(field).kind !== 'choice'
    ? undefined
    : Object.fromEntries(
        choicesOf(field.options).flatMap(({ id, name }) => ([value].flat().includes(name) ? [[name, id]] : [])),
      );

/** What a request gives, added to what there is. Refused as cells of a record are, and where a template has no room for a field. */
export const withGiven = async (
  context: Context,
  sight: Sight,
  { cells, choices }: TemplateCells,
  given: Record<string, unknown>,
  keyType: FieldKeyType,
): Promise<TemplateCells> => {
  const people = await peopleFor(
    context.db,
    sight.table,
    context.access.spaceId as string,
    () => new Set(Object.keys(given)),
    false,
  );
  const request = {
    rows: [{ fields: given }],
    keyType,
    typecast: false,
    placeOf: (_index: number, key: string) => `fields.${key}`,
  };
  readChangedCells(sight, request, cellContext(context, people, new Map()));
  const known = fieldsBy(sight, keyType);
  const [newCells, newChoices] = [{ ...cells }, { ...choices }];
  const issues: Issue[] = [];
  for (const [key, value] of Object.entries(given)) {
    const field = known.get(key) as FieldSchema;
    delete newCells[field.id];
    delete newChoices[field.id];
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    if (!mayHold(field)) {
      issues.push({
        path: `fields.${key}`,
        message: `A template has no value for ${JSON.stringify(field.name)}`,
        expected: 'no computed or unique field, no files or button, no link whose records are linked only once',
      });
      continue;
    }
    newCells[field.id] = kept(field, value);
    const named = choiceIds(field, value);
    if (named !== undefined) newChoices[field.id] = named;
  }
  if (issues.length > 0) throw invalid(issues);
  if (JSON.stringify(newCells).length > largest)
    throw invalid({
      path: 'fields',
      message: `The values of a template have at most ${largest.toLocaleString('en')} characters together`,
      expected: 'shorter values',
    });
  return { cells: newCells, choices: newChoices };
};

/** By the id of the choice where it is there, by its name otherwise: a field may have become a select since. */
const presentChoices = (field: FieldSchema, value: unknown, ids: Record<string, string> = {}): unknown => {
  const all = choicesOf(field.options);
  const named = [value].flat().flatMap((name) => {
    const own = ids[String(name)];
    const found = all.find((choice) => (own === undefined ? choice.name === name : choice.id === own));
    return found === undefined ? [] : [found.name];
  });
  return Array.isArray(value) ? named : named[0];
};

const only = (value: unknown, known: ReadonlyMap<string, string | undefined>): unknown => {
  const found = idsIn(value).flatMap((id) => {
    const title = known.get(id);
    return known.has(id) ? [title === undefined ? { id } : { id, title }] : [];
  });
  return Array.isArray(value) ? found : found[0];
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** What of the values is left for this caller: of fields, choices, records and people that are there, and that they see. */
export const fittingCells = async (
  context: Context,
  sight: Sight,
  templates: readonly TemplateCells[],
): Promise<Record<string, unknown>[]> => {
  const fields = sight.fields.filter((field) => mayHold(field) && templates.some(({ cells }) => field.id in cells));
  const people = await peopleFor(
    context.db,
    sight.table,
    context.access.spaceId as string,
    () => new Set(fields.map(({ id }) => id)),
    false,
  );
  const names = new Map<string, string | undefined>(people.map(({ id, name }) => [id, name]));
  const titles = new Map<string, Map<string, string | undefined>>();
  for (const field of fields) {
    const linked = isLink(field) ? linkedBy(field) : undefined;
    if (linked === undefined) continue;
    const ids = [...new Set(templates.flatMap(({ cells }) => idsIn(cells[field.id])))];
    const found = await selectTitles(context.db, linked, ids, seenTitles(sight, linked));
    titles.set(field.id, new Map(found.map(({ id, title }) => [id, title])));
  }
  const reading = cellContext(context, people, new Map());
  return templates.map(({ cells, choices }) =>
    Object.fromEntries(
      fields.flatMap((field): [string, unknown][] => {
        const stored = cells[field.id];
        if (isEmpty(stored)) return [];
        const type = fieldTypeOf(field);
        const value = isLink(field)
          ? only(stored, titles.get(field.id) ?? new Map())
          : type.namesPeople === true && !isMe(stored)
            ? only(stored, names)
            : cellTypeOf(field).kind === 'choice'
              ? presentChoices(field, stored, choices[field.id])
              : stored;
        return isEmpty(value) || !type.read(value, field, reading).ok ? [] : [[field.id, value]];
      }),
    ),
  );
};

const leftOut = (sight: Sight, fields: Record<string, unknown>): Pick<RecordTemplate, 'fieldsLeftOut'> => {
  const ids = Object.keys(fields).filter((id) => !isCreatable(sight, { id }));
  return ids.length === 0 ? {} : { fieldsLeftOut: ids };
};

export const templateVo = async (
  context: Context,
  sight: Sight,
  rows: readonly TemplateRow[],
): Promise<RecordTemplate[]> => {
  const fields = sight.seesCells ? await fittingCells(context, sight, rows) : [];
  return rows.map(({ id, name, createdBy, createdTime, lastModifiedBy, lastModifiedTime }, at) => ({
    id,
    name,
    fields: fields[at] ?? {},
    ...leftOut(sight, fields[at] ?? {}),
    createdBy,
    createdTime,
    ...(lastModifiedBy === null ? {} : { lastModifiedBy }),
    ...(lastModifiedTime === null ? {} : { lastModifiedTime }),
  }));
};
