// The values that events carry, of a few operations at a time: as much as their limits allow.
import type { Sight } from '../../catalog/sight.ts';
import type { TableSchema } from '../../catalog/table.ts';
import type { Services } from '../../context.ts';
import { downstream } from '../../catalog/dependency.ts';
import { isFormula } from '../cell/formula.sql.ts';
import { needsWithinRecord } from '../computed/dependencies.ts';
import {
  type ChangedCells,
  selectChangedCells,
  selectChangedFields,
  selectPresentCells,
  selectPresentRecords,
  type ValueLimits,
  type Values,
} from './change.sql.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import type { FeedRow } from './feed.sql.ts';
import { isOfAnotherShape } from './seen-changes.ts';

const limits: ValueLimits = { each: 262_144, all: 131_072 };

/** Of more records no values are told. */
export const maxNamed = 1_000;

export interface OperationValues {
  /** Undefined when the operation has none; `later` when there is no room for it any more. */
  state: Values['state'] | undefined;
  records: string;
  /** Of updates. */
  fieldIds: readonly string[];
}

export type ValuesOf = ReadonlyMap<number, OperationValues>;

const noted = (found: readonly (Values & { fieldIds?: string[] })[]): [number, OperationValues][] =>
  found.map(({ opId, state, records, fieldIds }) => [
    opId,
    { state, records: records ?? '', fieldIds: fieldIds ?? [] },
  ]);

const isFew = ({ recordCount }: FeedRow): boolean => recordCount > 0 && recordCount <= maxNamed;

/** Computed operations that changed the same fields, together. */
const byFields = (rows: readonly FeedRow[]): Map<string, FeedRow[]> => {
  const groups = new Map<string, FeedRow[]>();
  for (const row of rows) {
    const key = (row.fieldIds ?? []).join();
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
};

const presentValues = async (
  { db }: Services,
  sight: Sight,
  created: readonly FeedRow[],
  computed: readonly FeedRow[],
): Promise<[number, OperationValues][]> => {
  const found =
    created.length === 0
      ? []
      : await selectPresentRecords(
          db,
          sight,
          created.map(({ opId }) => opId),
          limits,
        );
  for (const [key, rows] of byFields(computed)) {
    const fields = key.split(',').flatMap((id) => sight.byId.get(id) ?? []);
    found.push(
      ...(await selectPresentCells(
        db,
        sight,
        rows.map(({ opId }) => opId),
        fields,
        limits,
      )),
    );
  }
  return noted(found);
};

/** Of records as they are now. A schema that changes meanwhile is told by an event of its own, so it only costs values. */
const presentOrNone = async (
  services: Services,
  load: () => Promise<Sight | undefined>,
  created: readonly FeedRow[],
  computed: readonly FeedRow[],
): Promise<[number, OperationValues][]> => {
  if (created.length + computed.length === 0) return [];
  const sight = await load();
  if (sight === undefined) return [];
  return presentValues(services, sight, created, computed).catch((error: unknown) => {
    if (isOfAnotherShape(error)) return [];
    throw error;
  });
};

interface Told {
  id: string;
  fields: Record<string, unknown>;
}

/** `addsRecords`: also those of which no written cell is told. */
const merged = (written: string | null, computed: string | null, addsRecords: boolean): string => {
  const records = new Map((JSON.parse(`[${written ?? ''}]`) as Told[]).map((record) => [record.id, record]));
  for (const { id, fields } of JSON.parse(`[${computed ?? ''}]`) as Told[]) {
    const record = records.get(id);
    if (record !== undefined) Object.assign(record.fields, fields);
    else if (addsRecords) records.set(id, { id, fields });
  }
  return JSON.stringify([...records.values()]).slice(1, -1);
};

const hasComputed = ({ fields }: TableSchema): boolean => fields.some(({ computed }) => computed != null);

/** Undefined when the table is gone. */
const presentOrGone = (services: Services, baseId: string, tableId: string): Promise<TableSchema | undefined> =>
  presentTable(services, baseId, tableId).catch((error: unknown) => {
    if (isOfAnotherShape(error)) return undefined;
    throw error;
  });

/**
 * Computed cells have no history: those of the same records that follow from the changed ones are told as they are now,
 * formulas that may depend on when a record was changed with every change, and so is what is seen of masked cells.
 */
const withComputed = async (
  services: Services,
  baseId: string,
  tableId: string,
  cells: ChangedCells[],
  isWhole: boolean,
  load: () => Promise<Sight | undefined>,
): Promise<ChangedCells[]> => {
  const table = cells.length === 0 ? undefined : await presentOrGone(services, baseId, tableId);
  const sight = table !== undefined && (hasComputed(table) || !isWhole) ? await load() : undefined;
  if (sight === undefined) return cells;
  const needs = needsWithinRecord(sight.table.fields);
  const told: ChangedCells[] = [];
  for (const cell of cells) {
    const reached = downstream(needs, cell.fieldIds);
    const fields = sight.fields.filter(
      (field) =>
        (field.computed != null || field.seenAs !== undefined) &&
        (reached.has(field.id) || (isFormula(field) && field.computed?.state === 'atRead')),
    );
    const [present] =
      fields.length === 0 || cell.state !== 'told'
        ? []
        : await selectPresentCells(services.db, sight, [cell.opId], fields, limits);
    const records = present?.state === 'told' ? merged(cell.records, present.records, sight.isMasked) : cell.records;
    told.push({ ...cell, records, fieldIds: [...new Set([...cell.fieldIds, ...fields.map(({ id }) => id)])] });
  }
  return told;
};

interface Rows {
  created: readonly FeedRow[];
  updated: readonly FeedRow[];
  computed: readonly FeedRow[];
}

/** By operation. Without `values` only the fields that updates changed. `load` is called when a part of the table is seen, or its records are needed. */
export const valuesOf = async (
  services: Services,
  baseId: string,
  tableId: string,
  rows: Rows,
  values: boolean,
  isWhole: boolean,
  load: () => Promise<Sight | undefined>,
): Promise<ValuesOf> => {
  const updated = rows.updated.map(({ opId }) => opId);
  const seen = isWhole ? ('everything' as const) : await load();
  if (!values || seen === undefined) {
    const fields = updated.length === 0 ? [] : await selectChangedFields(services.db, baseId, tableId, updated);
    const table = fields.length === 0 ? undefined : await presentOrGone(services, baseId, tableId);
    const needs = table === undefined || !hasComputed(table) ? undefined : needsWithinRecord(table.fields);
    return new Map(
      fields.map(({ opId, fieldIds }) => [
        opId,
        {
          state: undefined,
          records: '',
          fieldIds: needs === undefined ? fieldIds : [...downstream(needs, fieldIds)],
        },
      ]),
    );
  }
  const written =
    updated.length === 0 ? [] : await selectChangedCells(services.db, baseId, tableId, updated, limits, seen);
  const cells = await withComputed(services, baseId, tableId, written, isWhole, load).catch((error: unknown) => {
    if (isOfAnotherShape(error)) return written;
    throw error;
  });
  return new Map([
    ...noted(cells),
    ...(await presentOrNone(services, load, rows.created.filter(isFew), rows.computed.filter(isFew))),
  ]);
};
