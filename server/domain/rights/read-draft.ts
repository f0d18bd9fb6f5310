// Reads what somebody wants a role to grant, against the tables of the base. What is stored already stays allowed when its field or view has gone meanwhile: it
// counts again when that comes back, and until then it grants nothing.
import { isDeepStrictEqual } from 'node:util';
import { type Grant, mostGrantConditions, type TableGrant } from '@rowhouse/contract/authority-matrix.ts';
import { invalid, type Issue } from '@rowhouse/contract/error.ts';
import { type FilterGroup, readFilter, takesNothing } from '@rowhouse/contract/filter.ts';
import { readerValuesIn } from '@rowhouse/contract/reader-value.ts';
import { loadTable, type TableSchema } from '../../catalog/table.ts';
import type { Queryable } from '../../db/db.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { readReaderValue } from './read-reader-value.ts';
import { selectParts } from './matrix.sql.ts';
import { completed, fromTeable, isTeableForm, type DraftTable, type StoredGrant, type StoredTable } from './stored.ts';

interface Base {
  /** Of all tables and fields. */
  ids: ReadonlySet<string>;
  tables: ReadonlyMap<string, { name: string; fieldIds: ReadonlySet<string>; viewIds: ReadonlySet<string> }>;
}

interface Tables {
  table: TableSchema;
  /** Whose cells its conditions ask of the reader, by id. */
  beside: ReadonlyMap<string, TableSchema>;
}

/** What was stored for a table in this role. */
interface Before {
  ids: ReadonlySet<string>;
  filters: readonly FilterGroup[];
}

const loadBase = async (db: Queryable, baseId: string): Promise<Base> => {
  const parts = await selectParts(db, baseId);
  return {
    ids: new Set(parts.flatMap(({ id, fieldIds }) => [id, ...fieldIds])),
    tables: new Map(
      parts.map(({ id, name, fieldIds, viewIds }) => [
        id,
        { name, fieldIds: new Set(fieldIds), viewIds: new Set(viewIds) },
      ]),
    ),
  };
};

const beforeOf = (stored: StoredTable | undefined): Before => {
  const grants = stored?.grants ?? [];
  return {
    ids: new Set([
      ...grants.flatMap(({ fields, create, update, reveals = [] }) => [fields, create, update, reveals].flat()),
      ...(stored?.viewIds ?? []),
    ] as string[]),
    filters: grants.flatMap(({ when, after }) => [when, after].filter((filter) => filter != null)),
  };
};

const hasNoValue = (item: FilterGroup['filterSet'][number]): boolean =>
  'filterSet' in item ? item.filterSet.some(hasNoValue) : item.value === null && !takesNothing(item.operator);

const countConditions = (filter: FilterGroup | null | undefined): number =>
  filter?.filterSet.reduce((sum, item) => sum + ('filterSet' in item ? countConditions(item) : 1), 0) ?? 0;

const asksNothing = (filter: FilterGroup): boolean =>
  filter.filterSet.every((item) => 'filterSet' in item && asksNothing(item));

const createReader = (base: Base, { table, beside }: Tables, before: Before, issues: Issue[]) => {
  const fields = new Map([...table.byId].map(([id, field]) => [id, filterFieldOf(field)]));

  const ids = (given: readonly string[] | null, known: ReadonlySet<string>, at: string, what: string): void => {
    for (const [index, id] of (given ?? []).entries())
      if (!known.has(id) && !before.ids.has(id))
        issues.push({
          path: `${at}[${index}]`,
          message: `The table has no ${what} ${id}`,
          expected: `the id of a ${what} of ${table.name}`,
        });
  };

  const filter = (given: unknown, at: string): FilterGroup | null => {
    if (given === null || given === undefined) return null;
    const kept = before.filters.find((one) => isDeepStrictEqual(one, given));
    if (kept !== undefined) return kept;
    const read = readFilter(given, fields, at, undefined, readReaderValue(table, beside));
    issues.push(...read.issues);
    if (read.issues.length > 0 || read.filter === null || asksNothing(read.filter)) return null;
    if (hasNoValue(read.filter))
      issues.push({
        path: at,
        message: 'A condition says nothing to compare with, so it would hold for no record',
        expected: 'a value in each condition',
      });
    return read.filter;
  };

  const grant = (given: Grant, at: string): StoredGrant => {
    const fieldIds = new Set(table.byId.keys());
    for (const list of ['fields', 'create', 'update'] as const)
      ids(given[list] ?? null, fieldIds, `${at}.${list}`, 'field');
    const reveals = [...new Set(given.reveals)];
    for (const [index, id] of reveals.entries())
      if (!base.ids.has(id) && !before.ids.has(id))
        issues.push({
          path: `${at}.reveals[${index}]`,
          message: `The base has no table or field ${id}`,
          expected: 'the id of a table or field of the base',
        });
    if (reveals.length > 0 && (given.fields == null || !given.actions.includes('record|read')))
      issues.push({
        path: `${at}.reveals`,
        message:
          'A grant that reveals something reads fields and names them: others would be revealed when they are made',
        expected: '`record|read` among the actions, and a list of `fields`',
      });
    const when = filter(given.when, `${at}.when`);
    const after = filter(given.after, `${at}.after`);
    if (after !== null && !given.actions.includes('record|create') && !given.actions.includes('record|update'))
      issues.push({
        path: `${at}.after`,
        message: 'A condition on the record afterwards is of grants to create or update',
        expected: 'record|create or record|update among the actions',
      });
    const { memo } = given;
    return {
      ...completed(given),
      when,
      ...(after === null ? {} : { after }),
      ...(memo === undefined || memo === '' ? {} : { memo }),
      ...(reveals.length === 0 ? {} : { reveals }),
    };
  };
  return { ids, grant };
};

const readTable = (
  given: TableGrant,
  at: string,
  { base, table, beside, stored }: Tables & { base: Base; stored: StoredTable | undefined },
  issues: Issue[],
): DraftTable => {
  const reader = createReader(base, { table, beside }, beforeOf(stored), issues);
  const { grants } = given;
  if (grants === undefined && given.fieldRecordPermission !== undefined) {
    reader.ids(
      given.fieldRecordPermission.map(({ fieldId }) => fieldId),
      new Set(table.byId.keys()),
      `${at}.fieldRecordPermission`,
      'field',
    );
  }
  const before = issues.length;
  const byTeable = (): StoredGrant[] => [reader.grant(fromTeable(given), at)];
  const read = grants?.map((grant, index) => reader.grant(grant, `${at}.grants[${index}]`)) ?? byTeable();
  if (grants !== undefined && isTeableForm(given) && issues.length === before && !isDeepStrictEqual(read, byTeable()))
    issues.push({
      path: `${at}.grants`,
      message: 'Both forms are given, and they say different things',
      expected: 'either `grants`, or `disabledActions`, `fieldRecordPermission` and `recordFilter`',
    });
  const conditions = read.reduce((sum, { when, after }) => sum + countConditions(when) + countConditions(after), 0);
  if (conditions > mostGrantConditions)
    issues.push({
      path: at,
      message: `The grants of a table may have ${mostGrantConditions} conditions together, and these have ${conditions}`,
    });
  const viewIds = given.enabledViewIds ?? null;
  reader.ids(viewIds, new Set(table.views.map(({ id }) => id)), `${at}.enabledViewIds`, 'view');
  return {
    tableId: table.id,
    isOn: given.enabled ?? (stored === undefined || stored.enabledTime !== null),
    viewIds,
    showsFacts: given.recordFacts ?? true,
    grants: read,
  };
};

/** `stored`: what the role grants until now. */
export const readTables = async (
  db: Queryable,
  baseId: string,
  given: readonly TableGrant[],
  stored: readonly StoredTable[],
): Promise<DraftTable[]> => {
  const base = await loadBase(db, baseId);
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const read: DraftTable[] = [];
  for (const [index, one] of given.entries()) {
    const at = `tables[${index}]`;
    if (!base.tables.has(one.tableId) || seen.has(one.tableId)) {
      issues.push({
        path: `${at}.tableId`,
        message: seen.has(one.tableId)
          ? `Table ${one.tableId} appears twice in this request`
          : `This base has no table ${one.tableId}`,
      });
      continue;
    }
    seen.add(one.tableId);
    const table = await loadTable(db, baseId, one.tableId);
    const known = stored.find(({ tableId }) => tableId === one.tableId);
    const beside = new Map<string, TableSchema>();
    for (const value of readerValuesIn(one))
      if (value.type === 'mine' && base.tables.has(value.tableId))
        beside.set(value.tableId, await loadTable(db, baseId, value.tableId));
    read.push(readTable(one, at, { base, table, beside, stored: known }, issues));
  }
  if (issues.length > 0) throw invalid(issues);
  return read;
};
