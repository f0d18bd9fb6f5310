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

/** Ids of fields and tables that count as seen for what is computed from them. */
type Revealed = ReadonlySet<string>;
const nothing: Revealed = new Set();

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
  /** Of a computed field: the grants that name it in a list, with what they reveal in it. */
  const revealing = (tableId: string, fieldId: string) =>
    fieldOf(tableId, fieldId).origin.kind === 'link'
      ? []
      : grantsNaming(tableId, fieldId).flatMap(({ fields, when, reveals }) =>
          reveals === undefined || fields === null ? [] : [{ when, reveals }],
        );

  /** Whatever the records are: nothing in the rules of the table, the field and what it comes from is a condition. What is revealed counts as seen. */
  const alwaysSeen = (tableId: string, revealed = nothing): boolean =>
    revealed.has(tableId) || reading(tableId).some(({ when }) => when === true);
  const alwaysGranted = (tableId: string, fieldId: string, revealed: Revealed): boolean =>
    revealed.has(fieldId) || grantsNaming(tableId, fieldId).some(({ when }) => when === true);
  const sourcesAlwaysWhole = (tableId: string, fieldId: string, revealed: Revealed): boolean => {
    const { origin } = fieldOf(tableId, fieldId);
    const whole = (at: string, ids: readonly string[]): boolean => ids.every((id) => alwaysWhole(at, id, revealed));
    switch (origin.kind) {
      case 'plain':
        return true;
      case 'formula':
        return whole(tableId, origin.of);
      case 'link':
        return alwaysSeen(origin.to, revealed) && whole(origin.to, [origin.title]);
      case 'lookup':
        return (
          (origin.by === undefined || alwaysGranted(tableId, origin.by, revealed)) &&
          whole(tableId, origin.host ?? []) &&
          alwaysSeen(origin.to, revealed) &&
          whole(origin.to, origin.of)
        );
    }
  };
  const alwaysWhole = (tableId: string, fieldId: string, revealed = nothing): boolean =>
    (alwaysGranted(tableId, fieldId, revealed) && sourcesAlwaysWhole(tableId, fieldId, revealed)) ||
    (revealed.size > 0
      ? alwaysWhole(tableId, fieldId)
      : revealing(tableId, fieldId).some(
          ({ when, reveals }) => when === true && sourcesAlwaysWhole(tableId, fieldId, reveals),
        ));

  const sourcesWhole = (tableId: string, fieldId: string, record: ModelRecord, revealed: Revealed): boolean => {
    const { origin } = fieldOf(tableId, fieldId);
    const beyond = (linkId: string, to: string, of: readonly string[]): boolean => {
      const link = fieldOf(tableId, linkId).origin;
      if (link.kind !== 'link' || link.isMultiple)
        return alwaysSeen(to, revealed) && of.every((id) => alwaysWhole(to, id, revealed));
      return linkedIds(record.fields[linkId]).every((id) => {
        const linked = recordOf(to, id);
        return (revealed.has(to) || seesRecord(to, linked)) && of.every((one) => isWhole(to, one, linked, revealed));
      });
    };
    switch (origin.kind) {
      case 'plain':
        return true;
      case 'formula':
        return origin.of.every((id) => isWhole(tableId, id, record, revealed));
      case 'link':
        return (revealed.has(origin.to) || isThere(origin.to)) && beyond(fieldId, origin.to, [origin.title]);
      case 'lookup':
        if (!(origin.host ?? []).every((id) => isWhole(tableId, id, record, revealed))) return false;
        if (origin.by === undefined)
          return alwaysSeen(origin.to, revealed) && origin.of.every((id) => alwaysWhole(origin.to, id, revealed));
        return (
          (revealed.has(origin.by) || isGranted(tableId, origin.by, record)) && beyond(origin.by, origin.to, origin.of)
        );
    }
  };
  /** Everything that the stored cell shows is seen, or revealed. */
  const isWhole = (tableId: string, fieldId: string, record: ModelRecord, revealed = nothing): boolean =>
    ((revealed.has(fieldId) || isGranted(tableId, fieldId, record)) &&
      sourcesWhole(tableId, fieldId, record, revealed)) ||
    (revealed.size > 0
      ? isWhole(tableId, fieldId, record)
      : revealing(tableId, fieldId).some(
          ({ when, reveals }) => holds(tableId, record, when) && sourcesWhole(tableId, fieldId, record, reveals),
        ));

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

  /** Some rule, for some record that there could be, shows the field. An empty link to one record hides nothing. */
  const sourcesMayBeWhole = (tableId: string, fieldId: string, revealed: Revealed): boolean => {
    const { origin } = fieldOf(tableId, fieldId);
    const always = (to: string, ids: readonly string[]): boolean =>
      alwaysSeen(to, revealed) && ids.every((id) => alwaysWhole(to, id, revealed));
    switch (origin.kind) {
      case 'plain':
        return true;
      case 'formula':
        return origin.of.every((id) => mayBeWhole(tableId, id, revealed));
      case 'link':
        return (
          (revealed.has(origin.to) || isThere(origin.to)) && (!origin.isMultiple || always(origin.to, [origin.title]))
        );
      case 'lookup': {
        if (!(origin.host ?? []).every((id) => mayBeWhole(tableId, id, revealed))) return false;
        if (origin.by === undefined) return always(origin.to, origin.of);
        const link = fieldOf(tableId, origin.by).origin;
        const isLinkThere = revealed.has(origin.by) || grantsNaming(tableId, origin.by).length > 0;
        return isLinkThere && link.kind === 'link' && (!link.isMultiple || always(origin.to, origin.of));
      }
    }
  };
  const mayBeWhole = (tableId: string, fieldId: string, revealed = nothing): boolean =>
    ((revealed.has(fieldId) || grantsNaming(tableId, fieldId).length > 0) &&
      sourcesMayBeWhole(tableId, fieldId, revealed)) ||
    (revealed.size > 0
      ? mayBeWhole(tableId, fieldId)
      : revealing(tableId, fieldId).some(({ reveals }) => sourcesMayBeWhole(tableId, fieldId, reveals)));
  const mayBeSeen = (tableId: string, fieldId: string): boolean => {
    const { origin } = fieldOf(tableId, fieldId);
    return origin.kind === 'link'
      ? grantsNaming(tableId, fieldId).length > 0 && isThere(origin.to)
      : mayBeWhole(tableId, fieldId);
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
