// What a reader sees of a base by the rules, worked out in plain TypeScript from all its records: no SQL, and no conditions that are put together.
// compare.ts compares the server with it.
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import { type Asker, matchOf, type MatchField } from '@rowhouse/contract/matches.ts';
import type { RecordCondition } from '../../server/catalog/condition.ts';
import type { Grant } from '../../server/catalog/bound.ts';

/** How the cells of a field come about. */
export type Origin =
  | { kind: 'plain' }
  | { kind: 'formula'; of: readonly string[] }
  | { kind: 'link'; to: string; title: string; isMultiple: boolean }
  /** `by`: the link field; absent: all records of `to`. `host`: fields of the own record that its filter compares with. */
  | { kind: 'lookup'; by?: string; to: string; of: readonly string[]; host?: readonly string[] };

export interface ModelField {
  id: string;
  name: string;
  origin: Origin;
  /** As conditions take it. */
  match: MatchField;
}

export interface ModelRecord {
  id: string;
  autoNumber: number;
  fields: Record<string, unknown>;
}

export interface ModelTable {
  id: string;
  fields: readonly ModelField[];
  /** As somebody who sees everything reads them, in their order. */
  records: readonly ModelRecord[];
}

/** By table; one that is not there has none. */
export type Granted = ReadonlyMap<string, readonly Grant[]>;

const linkedIds = (cell: unknown): string[] =>
  cell === undefined ? [] : ([cell].flat() as { id: string }[]).map(({ id }) => id);

const compare = (cell: unknown, { operator, value }: Condition): boolean => {
  switch (operator) {
    case 'is':
      return cell === value;
    case 'isNot':
      return cell !== value;
    case 'isGreater':
      return typeof cell === 'number' && cell > (value as number);
    case 'isLess':
      return typeof cell === 'number' && cell < (value as number);
    case 'isEmpty':
      return cell === undefined;
    case 'isNotEmpty':
      return cell !== undefined;
    default:
      throw new Error(`the model does not know ${operator}`);
  }
};

const meetsFilter = (record: Pick<ModelRecord, 'fields'>, { conjunction, filterSet }: FilterGroup): boolean => {
  const met = filterSet.map((item) =>
    'filterSet' in item ? meetsFilter(record, item) : compare(record.fields[item.fieldId], item),
  );
  return conjunction === 'and' ? met.every(Boolean) : met.some(Boolean);
};

/** Of a record of a table without links. */
export const holdsFor = (record: Pick<ModelRecord, 'fields'>, condition: RecordCondition): boolean => {
  if (typeof condition === 'boolean') return condition;
  if ('any' in condition) return condition.any.some((one) => holdsFor(record, one));
  if ('all' in condition) return condition.all.every((one) => holdsFor(record, one));
  if ('filter' in condition) return meetsFilter(record, condition.filter);
  throw new Error('there are no links');
};

export const createModel = (tables: ReadonlyMap<string, ModelTable>, granted: Granted, asker: Asker) => {
  const matching = new Map(
    [...tables].map(([id, { fields }]) => [id, new Map(fields.map((field) => [field.id, field.match] as const))]),
  );
  const tableOf = (id: string): ModelTable => tables.get(id) as ModelTable;
  const fieldOf = (tableId: string, id: string): ModelField =>
    tableOf(tableId).fields.find((field) => field.id === id) as ModelField;
  const recordOf = (tableId: string, id: string): ModelRecord =>
    tableOf(tableId).records.find((record) => record.id === id) as ModelRecord;

  const holds = (tableId: string, record: ModelRecord, condition: RecordCondition): boolean => {
    if (typeof condition === 'boolean') return condition;
    if ('any' in condition) return condition.any.some((one) => holds(tableId, record, one));
    if ('all' in condition) return condition.all.every((one) => holds(tableId, record, one));
    if ('filter' in condition)
      return matchOf(condition.filter, matching.get(tableId) as never, record.fields, asker) ?? false;
    const { origin } = fieldOf(tableId, condition.through);
    if (origin.kind !== 'link') throw new Error('not a link');
    return linkedIds(record.fields[condition.through]).every((id) =>
      holds(origin.to, recordOf(origin.to, id), condition.met),
    );
  };

  const grantsOn = (tableId: string): readonly Grant[] => granted.get(tableId) ?? [];
  const isThere = (tableId: string): boolean => grantsOn(tableId).length > 0;
  const reading = (tableId: string): readonly Grant[] =>
    grantsOn(tableId).filter(({ actions }) => actions?.has('record|read') ?? true);
  const grantsNaming = (tableId: string, fieldId: string): readonly Grant[] =>
    reading(tableId).filter(({ fields }) => fields === null || fields.has(fieldId));

  const seesRecord = (tableId: string, record: ModelRecord): boolean => {
    return reading(tableId).some(({ when }) => holds(tableId, record, when));
  };
  const isGranted = (tableId: string, fieldId: string, record: ModelRecord): boolean => {
    return grantsNaming(tableId, fieldId).some(({ when }) => holds(tableId, record, when));
  };

  /** Whatever the records are: nothing in the rules of the table, the field and what it comes from is a condition. */
  const alwaysSeen = (tableId: string): boolean => reading(tableId).some(({ when }) => when === true);
  const alwaysGranted = (tableId: string, fieldId: string): boolean => {
    return grantsNaming(tableId, fieldId).some(({ when }) => when === true);
  };
  const alwaysWhole = (tableId: string, fieldId: string): boolean => {
    if (!alwaysGranted(tableId, fieldId)) return false;
    const { origin } = fieldOf(tableId, fieldId);
    switch (origin.kind) {
      case 'plain':
        return true;
      case 'formula':
        return origin.of.every((id) => alwaysWhole(tableId, id));
      case 'link':
        return alwaysSeen(origin.to) && alwaysWhole(origin.to, origin.title);
      case 'lookup':
        return (
          (origin.by === undefined || alwaysGranted(tableId, origin.by)) &&
          (origin.host ?? []).every((id) => alwaysWhole(tableId, id)) &&
          alwaysSeen(origin.to) &&
          origin.of.every((id) => alwaysWhole(origin.to, id))
        );
    }
  };

  /** Everything that the stored cell shows is seen. */
  const isWhole = (tableId: string, fieldId: string, record: ModelRecord): boolean => {
    if (!isGranted(tableId, fieldId, record)) return false;
    const { origin } = fieldOf(tableId, fieldId);
    const beyond = (linkId: string, to: string, of: readonly string[]): boolean => {
      const link = fieldOf(tableId, linkId).origin;
      if (link.kind !== 'link' || link.isMultiple) return alwaysSeen(to) && of.every((id) => alwaysWhole(to, id));
      return linkedIds(record.fields[linkId]).every((id) => {
        const linked = recordOf(to, id);
        return seesRecord(to, linked) && of.every((one) => isWhole(to, one, linked));
      });
    };
    switch (origin.kind) {
      case 'plain':
        return true;
      case 'formula':
        return origin.of.every((id) => isWhole(tableId, id, record));
      case 'link':
        return isThere(origin.to) && beyond(fieldId, origin.to, [origin.title]);
      case 'lookup':
        if (!(origin.host ?? []).every((id) => isWhole(tableId, id, record))) return false;
        if (origin.by === undefined)
          return alwaysSeen(origin.to) && origin.of.every((id) => alwaysWhole(origin.to, id));
        return isGranted(tableId, origin.by, record) && beyond(origin.by, origin.to, origin.of);
    }
  };

  const cellOf = (tableId: string, { id: fieldId, origin }: ModelField, record: ModelRecord): unknown => {
    const cell = record.fields[fieldId];
    if (origin.kind !== 'link') return isWhole(tableId, fieldId, record) ? cell : undefined;
    if (!isGranted(tableId, fieldId, record) || !isThere(origin.to) || cell === undefined) return undefined;
    const items = ([cell].flat() as { id: string; title?: string }[]).flatMap((item) => {
      const linked = recordOf(origin.to, item.id);
      if (!seesRecord(origin.to, linked)) return [];
      return [isWhole(origin.to, origin.title, linked) ? item : { id: item.id }];
    });
    return items.length === 0 ? undefined : origin.isMultiple ? items : items[0];
  };

  /** Some rule, for some record that there could be, shows the field. */
  const mayBeSeen = (tableId: string, fieldId: string): boolean => {
    if (grantsNaming(tableId, fieldId).length === 0) return false;
    const { origin } = fieldOf(tableId, fieldId);
    switch (origin.kind) {
      case 'plain':
        return true;
      case 'formula':
        return origin.of.every((id) => mayBeWhole(tableId, id));
      case 'link':
        return isThere(origin.to);
      case 'lookup':
        return mayBeLookedUp(tableId, origin);
    }
  };
  const mayBeLookedUp = (tableId: string, origin: Extract<Origin, { kind: 'lookup' }>): boolean => {
    if (!(origin.host ?? []).every((id) => mayBeWhole(tableId, id))) return false;
    if (origin.by === undefined) return alwaysSeen(origin.to) && origin.of.every((id) => alwaysWhole(origin.to, id));
    const link = fieldOf(tableId, origin.by).origin;
    if (grantsNaming(tableId, origin.by).length === 0 || link.kind !== 'link') return false;
    return link.isMultiple ? alwaysSeen(origin.to) && origin.of.every((id) => alwaysWhole(origin.to, id)) : true;
  };
  /** An empty link to one record hides nothing. */
  const mayBeWhole = (tableId: string, fieldId: string): boolean => {
    if (!mayBeSeen(tableId, fieldId)) return false;
    const { origin } = fieldOf(tableId, fieldId);
    return (
      origin.kind !== 'link' || !origin.isMultiple || (alwaysSeen(origin.to) && alwaysWhole(origin.to, origin.title))
    );
  };

  return {
    isThere,
    seesRecord,
    isGranted,
    /** No grant names it. */
    isNeverGranted: (tableId: string, fieldId: string): boolean => grantsNaming(tableId, fieldId).length === 0,
    fields: (tableId: string) => tableOf(tableId).fields.filter(({ id }) => mayBeSeen(tableId, id)),
    /** The seen records with the seen cells, in their order. */
    records: (tableId: string): ModelRecord[] =>
      tableOf(tableId)
        .records.filter((record) => seesRecord(tableId, record))
        .map((record) => ({
          ...record,
          fields: Object.fromEntries(
            tableOf(tableId)
              .fields.filter(({ id }) => mayBeSeen(tableId, id))
              .map((field) => [field.id, cellOf(tableId, field, record)] as const)
              .filter(([, cell]) => cell !== undefined),
          ),
        })),
    /** Whether its history is told. */
    tellsHistory: (tableId: string, field: ModelField, record: ModelRecord): boolean =>
      seesRecord(tableId, record) &&
      isGranted(tableId, field.id, record) &&
      (field.origin.kind !== 'link' ||
        (alwaysSeen(field.origin.to) && alwaysWhole(field.origin.to, field.origin.title))),
  };
};

export type Model = ReturnType<typeof createModel>;
