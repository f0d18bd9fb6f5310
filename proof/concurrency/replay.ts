// The model of a shared table: what the clients asked for, carried out one after the other in memory, in the order in
// which the server says that it was done.
import { isDeepStrictEqual } from 'node:util';
import type { Failures } from '../failures.ts';
import type { Records } from '../chain.ts';
import type { OperationRow } from './operations.sql.ts';
import type { Deed, Fields, SharedTable } from './world.ts';

interface Change {
  recordId: string;
  fieldId: string;
  before: unknown;
}

interface Model {
  records: Map<string, Fields>;
  /** Operation → what it changed. */
  changes: Map<string, Change[]>;
  /** Operation → the records that it deleted, as they were. */
  deleted: Map<string, Map<string, Fields>>;
  /** Operation → the records that came by it. */
  came: Map<string, readonly string[]>;
}

const remove = (model: Model, operation: string, ids: readonly string[]): void => {
  const there = ids.filter((id) => model.records.has(id));
  model.deleted.set(operation, new Map(there.map((id) => [id, model.records.get(id) as Fields])));
  for (const id of there) model.records.delete(id);
};

const write = (model: Model, operation: string, recordId: string, cells: Iterable<[string, unknown]>): void => {
  const fields = model.records.get(recordId);
  if (fields === undefined) return;
  const changes = model.changes.get(operation) ?? [];
  model.changes.set(operation, changes);
  for (const [fieldId, value] of cells) {
    const before = fields[fieldId] ?? null;
    if (isDeepStrictEqual(before, value)) continue;
    changes.push({ recordId, fieldId, before });
    fields[fieldId] = value;
  }
};

const carryOut = (model: Model, operation: string, deed: Deed): void => {
  switch (deed.kind) {
    case 'create':
      for (const { id, fields } of deed.rows) model.records.set(id, { ...fields });
      model.came.set(
        operation,
        deed.rows.map(({ id }) => id),
      );
      return;
    case 'delete':
      remove(model, operation, deed.ids);
      return;
    case 'update':
      for (const { id, fields } of deed.rows) write(model, operation, id, Object.entries(fields));
      return;
    case 'restore':
      // Those that it found there: one that another brings back at the same moment stays.
      if (model.came.has(deed.of))
        remove(
          model,
          operation,
          (model.came.get(deed.of) ?? []).filter((id) => deed.recordIds.includes(id)),
        );
      for (const [id, fields] of model.deleted.get(deed.of) ?? []) model.records.set(id, fields);
      if (model.deleted.has(deed.of)) model.came.set(operation, [...(model.deleted.get(deed.of)?.keys() ?? [])]);
      for (const { recordId, fieldId, before } of model.changes.get(deed.of) ?? [])
        write(model, operation, recordId, [[fieldId, before]]);
  }
};

const only = (fields: Fields, fieldIds: ReadonlySet<string>): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([id, value]) => fieldIds.has(id) && value !== null)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Every answer must be what the model holds at that point, and the table in the end. */
export const replay = (
  table: SharedTable,
  operations: readonly OperationRow[],
  found: Records,
  failures: Failures,
): void => {
  const model: Model = { records: new Map(), changes: new Map(), deleted: new Map(), came: new Map() };
  const base = new Set(Object.values(table.fieldIds));
  const missing = new Set(table.deeds.keys());
  for (const { id, kind } of operations) {
    const deed = table.deeds.get(id);
    if (deed === undefined) {
      failures.demand(['schema', 'view', 'convert'].includes(kind), () => `nobody asked for the ${kind} ${id}`);
      continue;
    }
    missing.delete(id);
    carryOut(model, id, deed);
    if (deed.kind !== 'update') continue;
    for (const record of deed.answer) {
      const expected = only(model.records.get(record.id) ?? {}, base);
      failures.demand(
        isDeepStrictEqual(only(record.fields, base), expected),
        () =>
          `the answer of ${id} says ${JSON.stringify(only(record.fields, base))}, the model ${JSON.stringify(expected)}`,
      );
    }
  }
  failures.none('acknowledged operations that are not there', missing);
  const live = new Set([...base, ...table.added]);
  failures.none(
    'records that should not be there',
    [...found.keys()].filter((id) => !model.records.has(id)),
  );
  failures.none(
    'records that should be there',
    [...model.records.keys()].filter((id) => !found.has(id)),
  );
  for (const [id, fields] of found) {
    const expected = only(model.records.get(id) ?? {}, live);
    failures.demand(
      isDeepStrictEqual(only(fields, live), expected),
      () => `${id} holds ${JSON.stringify(only(fields, live))}, the model ${JSON.stringify(expected)}`,
    );
  }
};
