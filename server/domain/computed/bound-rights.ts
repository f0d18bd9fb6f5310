// What a caller sees of computed fields and links, from what they are granted of the fields that these come from, in all tables that links join. A computed cell is
// seen where everything that it was computed from is seen; otherwise it is hidden. See docs/adr/0116-masked-cells.md.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { allOf, anyOf, type RecordCondition } from '../../catalog/condition.ts';
import type { Grant } from '../../catalog/bound.ts';
import type { Rights, SeenItems, TableMay, TableRights, WriteGrant } from '../../catalog/rights.ts';
import type { FieldSchema, RelatedTable, TableSchema } from '../../catalog/table.ts';
import { filterFieldIds, hostConditions, hostFieldOf } from '../cell/filter.sql.ts';
import { expressionText, isFormula } from '../cell/formula.sql.ts';
import { isLink, type Linked, linkedBy } from '../cell/linked.sql.ts';
import { isConditional, isLookedUp } from '../cell/looked-up.sql.ts';
import { trackedIn } from '../cell/type/system.ts';
import { FormulaError } from '../formula/error.ts';
import { keysOf } from '../formula/references.ts';

interface GrantedTable {
  rows: RecordCondition;
  may: TableMay | undefined;
  /** Where the cells of a field are granted, besides `rows`. */
  cell: (fieldId: string) => RecordCondition;
  /** Where a computed field is granted together with things that it may show although they are hidden. */
  revealing: (fieldId: string) => readonly Revealing[];
}

interface Revealing {
  when: RecordCondition;
  revealed: Revealed;
}

/** Ids of fields and tables that count as seen for what is computed from them. */
type Revealed = ReadonlySet<string>;
const nothing: Revealed = new Set();

/** What rules grant, by table. Null: the table is not there for the caller. */
type Granted = (tableId: string) => GrantedTable | null;

/** Undefined where no grant says what may be written. */
const mayOf = (grants: readonly Grant[]): TableMay | undefined => {
  if (grants.every(({ actions }) => actions === undefined)) return undefined;
  const granting = (action: string, made: (grant: Grant) => Partial<WriteGrant>): WriteGrant[] =>
    grants
      .filter(({ actions }) => actions?.has(action) === true)
      .map((grant) => ({ fields: null, when: grant.when, after: true, memo: grant.memo, ...made(grant) }));
  const whole = (): Partial<WriteGrant> => ({});
  return {
    create: granting('record|create', ({ fields, create = fields, when, after = when }) => ({
      fields: create,
      when: true,
      after,
    })),
    update: granting('record|update', ({ fields, update = fields, after = true }) => ({ fields: update, after })),
    delete: granting('record|delete', whole),
    comment: granting('record|comment', whole),
    copy: granting('record|copy', whole),
  };
};

/**
 * Grants are put together, never multiplied: a cell is seen when one grant names its field and holds for its record. All fields of all grants in
 * all records of all grants would show cells that none of them grants.
 */
const united = (grants: readonly Grant[]): GrantedTable | null => {
  if (grants.length === 0) return null;
  const reading = grants.filter(({ actions }) => actions?.has('record|read') ?? true);
  const rows = anyOf(reading.map(({ when }) => when));
  const where = (some: readonly Grant[]): RecordCondition => {
    const named = anyOf(some.map(({ when }) => when));
    return JSON.stringify(named) === JSON.stringify(rows) ? true : named;
  };
  return {
    rows,
    may: mayOf(grants),
    cell(fieldId) {
      const naming = reading.filter(({ fields }) => fields?.has(fieldId) ?? true);
      return naming.length === 0 ? false : where(naming);
    },
    // Only a grant that names the field: one for all fields would reveal in those that are made later.
    revealing: (fieldId) =>
      reading.flatMap((grant) =>
        grant.reveals !== undefined && grant.fields?.has(fieldId) === true
          ? [{ when: where([grant]), revealed: grant.reveals }]
          : [],
      ),
  };
};

/** Holds for all records, or is given up: what depends on several records is not shown in part. */
const onlyTrue = (condition: RecordCondition): boolean => condition === true;

/** Of one snapshot: which cells are seen, besides the records. */
const createSeen = (granted: Granted) => {
  const known = new Map<string, RecordCondition>();
  const knownBy = new Map<Revealed, Map<string, RecordCondition>>();

  const rowsOf = (table: RelatedTable, revealed: Revealed): RecordCondition =>
    revealed.has(table.id) || (granted(table.id)?.rows ?? false);

  /** Conditions on cells come on top of those on records: where records are revealed these are asked here. */
  const onTop = (table: RelatedTable, cells: RecordCondition, revealed: Revealed): RecordCondition =>
    revealed.has(table.id) ? allOf([rowsOf(table, nothing), cells]) : cells;

  const grantOf = (table: RelatedTable, field: FieldSchema, revealed: Revealed): RecordCondition =>
    revealed.has(field.id) || onTop(table, granted(table.id)?.cell(field.id) ?? false, revealed);

  /** Of the fields of a table with these ids; false for one that is gone. */
  const needAll = (table: RelatedTable, ids: readonly string[], revealed: Revealed): RecordCondition =>
    allOf(
      ids.map((id) => {
        const field = table.byId.get(id);
        return field === undefined ? false : need(table, field, revealed);
      }),
    );

  /** What a link leads to, and in it the fields: for one record a condition on it, for several all or nothing. */
  const beyond = (
    { field, foreign, isMultiple }: Linked,
    ids: readonly string[],
    revealed: Revealed,
  ): RecordCondition => {
    const met = allOf([rowsOf(foreign, revealed), needAll(foreign, ids, revealed)]);
    if (met === true) return true;
    return isMultiple ? false : { through: field.id, met };
  };

  const lookedUp = (table: RelatedTable, field: FieldSchema, revealed: Revealed): RecordCondition => {
    const { linkFieldId, foreignTableId, lookupFieldId, filter, sort } = field.lookupOptions ?? {};
    const conditions = (filter ?? null) as FilterGroup | null;
    const own = needAll(
      table,
      hostConditions(conditions).flatMap((condition) => hostFieldOf(condition) ?? []),
      revealed,
    );
    const link = table.byId.get(linkFieldId ?? '');
    const linked = link === undefined || !isLink(link) ? undefined : linkedBy(link, table);
    const foreign = isConditional(field) ? table.related.get(foreignTableId ?? '') : linked?.foreign;
    if (foreign === undefined) return false;
    const ids = [
      lookupFieldId ?? foreign.primary.id,
      ...filterFieldIds(conditions),
      ...(sort == null ? [] : [sort.fieldId]),
    ];
    if (linked === undefined || link === undefined)
      return allOf([own, onlyTrue(rowsOf(foreign, revealed)) && onlyTrue(needAll(foreign, ids, revealed))]);
    return allOf([own, grantOf(table, link, revealed), beyond(linked, ids, revealed)]);
  };

  const keysIn = (field: FieldSchema): string[] | undefined => {
    try {
      return keysOf(expressionText(field));
    } catch (error) {
      if (error instanceof FormulaError) return undefined;
      throw error;
    }
  };

  const sourcesSeen = (table: RelatedTable, field: FieldSchema, revealed: Revealed): RecordCondition => {
    if (isFormula(field)) {
      const keys = keysIn(field);
      return keys === undefined ? false : needAll(table, keys, revealed);
    }
    if (isLookedUp(field)) return lookedUp(table, field, revealed);
    return needAll(
      table,
      trackedIn(field.options).filter((id) => table.byId.has(id)),
      revealed,
    );
  };

  /** Where the cell is seen. Of a link: where anything of it is; what, is decided for each linked record. */
  const cell = (table: RelatedTable, field: FieldSchema): RecordCondition => {
    const found = known.get(field.id);
    if (found !== undefined) return found;
    // What needs itself is not seen.
    known.set(field.id, false);
    const linked = isLink(field) ? linkedBy(field, table) : undefined;
    const made = isLink(field)
      ? allOf([grantOf(table, field, nothing), linked !== undefined && granted(linked.foreign.id) !== null])
      : anyOf([
          allOf([grantOf(table, field, nothing), sourcesSeen(table, field, nothing)]),
          ...(granted(table.id)?.revealing(field.id) ?? []).map(({ when, revealed }) =>
            allOf([when, sourcesSeen(table, field, revealed)]),
          ),
        ]);
    known.set(field.id, made);
    return made;
  };

  /** A revealed field counts as granted. What it is computed from has to be seen, or revealed, too: an expression that reaches for more shows nothing. */
  const needRevealed = (table: RelatedTable, field: FieldSchema, revealed: Revealed): RecordCondition => {
    const linked = isLink(field) ? linkedBy(field, table) : undefined;
    const own = grantOf(table, field, revealed);
    if (linked === undefined) return allOf([own, !isLink(field) && sourcesSeen(table, field, revealed)]);
    const isThere = revealed.has(linked.foreign.id) || granted(linked.foreign.id) !== null;
    return allOf([own, isThere, beyond(linked, [linked.title.id], revealed)]);
  };

  /** Where the cell is seen as it is stored, which what is computed from it shows. */
  const need = (table: RelatedTable, field: FieldSchema, revealed: Revealed): RecordCondition => {
    if (revealed.size > 0) {
      const made = knownBy.get(revealed) ?? new Map<string, RecordCondition>();
      knownBy.set(revealed, made);
      const found = made.get(field.id);
      if (found !== undefined) return found;
      made.set(field.id, false);
      const seen = anyOf([onTop(table, need(table, field, nothing), revealed), needRevealed(table, field, revealed)]);
      made.set(field.id, seen);
      return seen;
    }
    const linked = isLink(field) ? linkedBy(field, table) : undefined;
    return linked === undefined
      ? cell(table, field)
      : allOf([cell(table, field), beyond(linked, [linked.title.id], nothing)]);
  };

  const items = (table: RelatedTable, field: FieldSchema): SeenItems | undefined => {
    const linked = isLink(field) ? linkedBy(field, table) : undefined;
    if (linked === undefined) return undefined;
    const seen = { rows: rowsOf(linked.foreign, nothing), title: need(linked.foreign, linked.title, nothing) };
    return seen.rows === true && seen.title === true ? undefined : seen;
  };

  return { cell, items };
};

const derive = (granted: Granted, { rows, may }: GrantedTable, key: string, table: TableSchema): TableRights => {
  const { cell, items } = createSeen(granted);
  const home = table.related.get(table.id) ?? table;
  const conditions = home.fields.map((field) => [field, cell(home, field)] as const);
  const seen = conditions.filter(([, condition]) => condition !== false);
  const cells = new Map(seen.flatMap(([{ id }, condition]) => (condition === true ? [] : [[id, condition] as const])));
  const links = new Map(
    seen.flatMap(([field]) => {
      const found = items(home, field);
      return found === undefined ? [] : [[field.id, found] as const];
    }),
  );
  const isAll = seen.length === conditions.length;
  const isWhole = isAll && cells.size === 0 && links.size === 0 && rows === true;
  return {
    fieldIds: isAll ? null : new Set(seen.map(([{ id }]) => id)),
    rows,
    cells,
    items: links,
    ...(may === undefined ? {} : { may }),
    ...(isWhole ? {} : { key }),
  };
};

/** `grantsOn`: what rules grant on each table; none: it is not there. `key`: equal for callers to whom they grant the same. */
export const boundRights = (grantsOn: (tableId: string) => readonly Grant[], key: string): Rights => {
  const tables = new Map<string, GrantedTable | null>();
  const granted: Granted = (tableId) => {
    const found = tables.get(tableId);
    const made = found === undefined ? united(grantsOn(tableId)) : found;
    tables.set(tableId, made);
    return made;
  };
  const known = new WeakMap<TableSchema, TableRights>();
  return {
    of(tableId) {
      const own = granted(tableId);
      return own === null
        ? null
        : { fieldIds: null, rows: own.rows, key, ...(own.may === undefined ? {} : { may: own.may }) };
    },
    on(table) {
      const own = granted(table.id);
      if (own === null) return null;
      const made = known.get(table) ?? derive(granted, own, key, table);
      known.set(table, made);
      return made;
    },
    cell(tableId, fieldId) {
      const own = granted(tableId);
      return own === null ? false : allOf([own.rows, own.cell(fieldId)]);
    },
  };
};
