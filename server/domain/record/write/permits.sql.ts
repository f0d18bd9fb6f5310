// What rules ask of records that are written, as SQL in the statement that writes them: of the record before it, and of the record after it. Those whom no
// rules bind have none of it. See docs/adr/0130-conditions-of-writes.md.
import { anyOf } from '../../../catalog/condition.ts';
import type { TableMay, WriteGrant } from '../../../catalog/rights.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Queryable } from '../../../db/db.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { conditionSql } from '../../query/condition.sql.ts';
import { all } from '../../query/filter.sql.ts';
import { seenRows } from '../read/read.sql.ts';

/** Fields that the same grants name, and the records of a request that name none of them. */
interface Named {
  grants: readonly WriteGrant[];
  fieldIds: readonly string[];
  others: readonly string[];
}

interface Written {
  fieldId: string;
  /** Which of the records name the field; absent: all do. */
  given?: readonly boolean[] | undefined;
}

/** The grants that name a field. */
export const grantsFor = (grants: readonly WriteGrant[], fieldId: string): readonly WriteGrant[] =>
  grants.filter(({ fields }) => fields?.has(fieldId) ?? true);

const namedBy = (
  grants: readonly WriteGrant[],
  written: readonly Written[],
  ids: readonly string[],
): readonly Named[] => {
  const groups = new Map<string, { grants: readonly WriteGrant[]; written: Written[] }>();
  for (const one of written) {
    const naming = grantsFor(grants, one.fieldId);
    const key = naming.map((grant) => grants.indexOf(grant)).join();
    const group = groups.get(key) ?? { grants: naming, written: [] };
    group.written.push(one);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({
    grants: group.grants,
    fieldIds: group.written.map(({ fieldId }) => fieldId),
    others: ids.filter((_, at) => !group.written.some(({ given }) => given === undefined || given[at] === true)),
  }));
};

const unless = (others: readonly string[], condition: Sql, alias: string): Sql =>
  others.length === 0 ? condition : sql`(${sql.id(alias, '__id')} = any(${others}::text[]) or ${condition})`;

const looking = ({ table, asker }: Sight, condition: WriteGrant['when'], alias: string): Sql =>
  conditionSql(condition, table, asker, alias);

/** A grant that asks something of the record afterwards: what it asks of the record before is remembered in a column, so that the two belong together. */
interface Held {
  column: string;
  before: Sql;
}

export interface UpdatePermits {
  /** Of the record before, on the row `r`; null: nothing is asked. */
  before: Sql | null;
  held: readonly Held[];
  /** Of the record afterwards, on the row `alias`; `holder`: the row that has the columns of `held`. Null: nothing is asked. */
  after: (alias: string, holder: string) => Sql | null;
}

const nothing: UpdatePermits = { before: null, held: [], after: () => null };

const hasAfter = ({ grants }: Named): boolean => grants.some(({ after }) => after !== true);

/** A cell may be written where one grant that names its field holds before and afterwards. Two grants that hold in part are not put together. */
export const updatePermits = (sight: Sight, written: readonly Written[], ids: readonly string[]): UpdatePermits => {
  const { may } = sight.rule;
  if (may === undefined) return nothing;
  const groups = namedBy(may.update, written, ids).filter(({ others }) => others.length < ids.length);
  const before = groups.flatMap(({ grants, others }) => {
    const condition = anyOf(grants.map(({ when }) => when));
    return condition === true ? [] : [unless(others, looking(sight, condition, 'r'), 'r')];
  });
  const asking = groups.filter(hasAfter);
  const columnFor = (grant: WriteGrant): string => `__w${may.update.indexOf(grant)}`;
  const held = [...new Set(asking.flatMap(({ grants }) => grants))].map((grant) => ({
    column: columnFor(grant),
    before: looking(sight, grant.when, 'r'),
  }));
  return {
    before: all(before),
    held,
    after: (alias, holder) =>
      all(
        asking.map(({ grants, others }) =>
          unless(
            others,
            sql`(${sql.join(
              grants.map((grant) => sql`${sql.id(holder, columnFor(grant))} and ${looking(sight, grant.after, alias)}`),
              ' or ',
            )})`,
            alias,
          ),
        ),
      ),
  };
};

/** Of the record afterwards; null: nothing is asked. `seen`: as the fields are read by now, where the write has left some to a job. */
export type CreatePermits = (alias: string, seen?: Sight) => Sql | null;

/** Some grant has to hold for the record as a whole, and for each cell one that names its field. */
export const createPermits = (sight: Sight, written: readonly Written[], ids: readonly string[]): CreatePermits => {
  const { may } = sight.rule;
  if (may === undefined) return () => null;
  const groups = [
    { grants: may.create, others: [] as readonly string[] },
    ...namedBy(may.create, written, ids).filter(({ others }) => others.length < ids.length),
  ].map(({ grants, others }) => ({ condition: anyOf(grants.map(({ after }) => after)), others }));
  const asking = groups.filter(({ condition }) => condition !== true);
  return (alias, seen = sight) =>
    all(asking.map(({ condition, others }) => unless(others, looking(seen, condition, alias), alias)));
};

/** Where records may be deleted, commented on or copied; null: wherever they are seen. */
export const permitted = (
  sight: Sight,
  action: Exclude<keyof TableMay, 'create' | 'update'>,
  alias = 'r',
): Sql | null => {
  const { may } = sight.rule;
  const condition = may === undefined ? true : anyOf(may[action].map(({ when }) => when));
  return condition === true ? null : looking(sight, condition, alias);
};

/** Records that are seen and do not meet the condition. */
export const selectUnpermitted = async (
  db: Queryable,
  sight: Sight,
  ids: readonly string[],
  condition: Sql | null,
): Promise<string[]> => {
  if (condition === null) return [];
  const rows = await db.query<{ id: string }>(
    sql`select r.__id as id from ${seenRows(sight)} r where r.__id = any(${ids}::text[]) and (${condition}) is not true order by r.__auto_number`,
  );
  return rows.map(({ id }) => id);
};

interface RefusedCell {
  recordId: string;
  fieldId: string;
}

/** The cells that no grant lets the caller update, in the order of the records, and the grants that would. */
export const selectRefusedCells = async (
  db: Queryable,
  sight: Sight,
  written: readonly Written[],
  ids: readonly string[],
): Promise<{ cells: RefusedCell[]; grants: readonly WriteGrant[] }> => {
  const { may } = sight.rule;
  if (may === undefined || ids.length === 0) return { cells: [], grants: [] };
  const groups = namedBy(may.update, written, ids);
  const refused = await Promise.all(
    groups.map(async ({ grants, others, fieldIds }) => {
      const condition = anyOf(grants.map(({ when }) => when));
      if (condition === true) return [];
      const asked = ids.filter((id) => !others.includes(id));
      const found = await selectUnpermitted(db, sight, asked, looking(sight, condition, 'r'));
      const givenIn = (fieldId: string, id: string): boolean =>
        written.find((one) => one.fieldId === fieldId)?.given?.[ids.indexOf(id)] ?? true;
      return found.flatMap((recordId) =>
        fieldIds.filter((fieldId) => givenIn(fieldId, recordId)).map((fieldId) => ({ recordId, fieldId, grants })),
      );
    }),
  );
  const cells = refused.flat();
  return { cells, grants: [...new Set(cells.flatMap(({ grants }) => grants))] };
};

/** Records that were written and do not meet what is asked of them afterwards: refuses them all, by their ids. Of rows called `alias`. */
export const refusedIn = (alias: string, after: Sql): Sql =>
  sql`array_agg(${sql.id(alias, '__id')} order by ${sql.id(alias, '__auto_number')}) filter (where (${after}) is not true)`;

/** Asked once more when everything is done that follows from a write: what is computed from other records is only known then. */
export const demandAfter = async (
  tx: Queryable,
  { table: { baseId, dbTableName } }: Sight,
  ids: readonly string[],
  { held, after }: { held: readonly { column: string; holds: readonly boolean[] }[]; after: Sql | null },
): Promise<void> => {
  if (after === null) return;
  const arrays = [sql`${ids}::text[]`, ...held.map(({ holds }) => sql`${holds}::boolean[]`)];
  const names = [sql`id`, ...held.map(({ column }) => sql.id(column))];
  await tx.query(
    sql`select rowhouse.refuse(b.bad) from (
          select ${refusedIn('r', after)} as bad from unnest(${sql.join(arrays)}) h(${sql.join(names)})
          join ${sql.id(baseId, dbTableName)} r on r.__id = h.id
        ) b where b.bad is not null`,
  );
};
