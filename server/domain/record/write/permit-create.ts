// What rules make of a request for new records: which fields it may name, what is filled in for it, and what is asked of the records.
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import { isMe } from '@rowhouse/contract/filter.ts';
import type { RecordCondition } from '../../../catalog/condition.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import { cellTypeOf, fieldTypeOf } from '../../cell/types.ts';
import { fieldsBy, keyOf, type Nameable, unknownFields } from '../read/field-key.ts';
import type { CellRequest } from './cells.ts';
import { refusedFields } from './not-permitted.ts';
import { type CreatePermits, createPermits, grantsFor } from './permits.sql.ts';
import { keysOf } from './write.ts';

interface PermittedCreate {
  rows: CellRequest['rows'];
  /** Fields that cells are read for. */
  named: Nameable;
  /** What is asked of the records with these ids. */
  permits: (ids: readonly string[]) => CreatePermits;
}

/** Some grant lets the caller fill in the field. */
export const isCreatable = ({ rule: { may } }: Pick<Sight, 'rule'>, { id }: Pick<FieldSchema, 'id'>): boolean =>
  may === undefined || grantsFor(may.create, id).length > 0;

/** Creating needs no reading. */
const creatableFields = (sight: Sight): FieldSchema[] =>
  sight.table.fields.filter((field) => sight.byId.has(field.id) || isCreatable(sight, field));

const nameable = (fields: readonly FieldSchema[]): Nameable => {
  const by = (key: 'id' | 'name' | 'dbFieldName') => new Map(fields.map((field) => [field[key], field]));
  return { byId: by('id'), byName: by('name'), byDbName: by('dbFieldName') };
};

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

/** Conditions that leave one value: of a filter whose conditions are all to be met. */
const pinsOf = (condition: RecordCondition): Condition[] => {
  if (typeof condition === 'boolean') return [];
  if ('all' in condition) return condition.all.flatMap(pinsOf);
  if (!('filter' in condition)) return [];
  const inGroup = ({ conjunction, filterSet }: FilterGroup): Condition[] =>
    conjunction === 'or' && filterSet.length > 1
      ? []
      : filterSet.flatMap((item) => ('filterSet' in item ? inGroup(item) : [item]));
  return inGroup(condition.filter).filter(({ operator }) => ['is', 'isExactly', 'hasAllOf'].includes(operator));
};

/** The cell that a condition leaves, as a request would send it; undefined where that is not plain. */
const pinned = (field: FieldSchema, value: unknown, userId: string): unknown => {
  const { kind, isMultiple } = cellTypeOf(field);
  if (fieldTypeOf(field).isComputed || value === null || (typeof value === 'object' && !Array.isArray(value)))
    return undefined;
  const items = [value].flat().map((item) => (isMe(item) && kind === 'person' ? userId : item));
  if (kind === 'date') return undefined;
  if (kind === 'person' || kind === 'link') {
    const named = items.map((id) => ({ id }));
    return isMultiple ? named : named[0];
  }
  return isMultiple ? items : items[0];
};

/** What the first grant that names everything given, and that nothing given is against, pins beside it. */
const pinsFor = (
  { rule: { may }, table, asker }: Sight,
  given: ReadonlySet<string>,
): { field: FieldSchema; value: unknown }[] => {
  const grant = may?.create.find(({ fields }) => fields === null || [...given].every((id) => fields.has(id)));
  return pinsOf(grant?.after ?? true).flatMap(({ fieldId, value }) => {
    const field = table.byId.get(fieldId);
    if (field === undefined || given.has(fieldId)) return [];
    const cell = pinned(field, value, asker.userId);
    return cell === undefined ? [] : [{ field, value: cell }];
  });
};

/** Which rows give each field. */
const givenIn = (rows: CellRequest['rows'], fieldOf: (key: string) => FieldSchema | undefined) => {
  const given = new Map<string, boolean[]>();
  rows.forEach(({ fields }, index) => {
    for (const [key, value] of Object.entries(fields)) {
      const field = fieldOf(key);
      if (field === undefined || !isGiven(value) || fieldTypeOf(field).isComputed) continue;
      const places = given.get(field.id) ?? new Array<boolean>(rows.length).fill(false);
      places[index] = true;
      given.set(field.id, places);
    }
  });
  return given;
};

/** Only what a grant names may be sent; what a condition leaves one value for and the request leaves out is filled in. */
export const permitCreate = (
  sight: Sight,
  { rows, keyType }: Pick<CellRequest, 'rows' | 'keyType'>,
): PermittedCreate => {
  const { may } = sight.rule;
  if (may === undefined) return { rows, named: sight, permits: () => () => null };
  const fields = creatableFields(sight);
  const known = fieldsBy(nameable(fields), keyType);
  // What is filled in may not be known to the caller: only what they know may be named.
  const unknown = [...keysOf(rows)].filter((key) => !known.has(key));
  if (unknown.length > 0) throw unknownFields(unknown, keyType, known);
  const given = givenIn(rows, (key) => known.get(key));
  const refused = [...given.keys()].filter((id) => grantsFor(may.create, id).length === 0);
  if (refused.length > 0)
    throw refusedFields(refused.map((id) => keyOf(sight.table.byId.get(id) as FieldSchema, keyType)));
  const written = [...given].map(([fieldId, places]: [string, boolean[]]) => ({ fieldId, given: places }));
  const pinnedFields = new Map<string, FieldSchema>();
  const filled = rows.map((row, index) => {
    const names = new Set(written.filter((one) => one.given[index]).map(({ fieldId }) => fieldId));
    const pins = pinsFor(sight, names);
    if (pins.length === 0) return row;
    const cells: Record<string, unknown> = { ...row.fields };
    for (const { field, value } of pins) {
      pinnedFields.set(field.id, field);
      cells[keyOf(field, keyType)] = value;
    }
    return { ...row, fields: cells };
  });
  const all = [...new Map([...fields, ...pinnedFields.values()].map((field) => [field.id, field])).values()];
  return { rows: filled, named: nameable(all), permits: (ids) => createPermits(sight, written, ids) };
};
