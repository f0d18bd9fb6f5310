// What the links of a request are to lead to, and what is wrong with it. Asked once everything that the write can reach is locked.
import type { Queryable } from '../../../db/db.ts';
import type { Linked } from '../../cell/linked.sql.ts';
import { type Edge, selectTaken } from '../../computed/edge.sql.ts';
import type { Locked } from '../../computed/lock.sql.ts';
import type { SettlePlan } from '../../computed/plan.ts';
import type { NewLink } from '../../computed/with-rows.sql.ts';
import { keyOf } from '../read/field-key.ts';
import { type CellError, cellErrors, type CellRequest, type Column } from './cells.ts';

export interface Wanted {
  linked: Linked;
  column: Column;
  /** Records whose links are written. */
  own: readonly string[];
  edges: readonly Edge[];
}

export const wantedOf = (plan: SettlePlan, ids: readonly string[], links: readonly Column[]): Wanted[] =>
  plan.written.flatMap((linked): Wanted[] => {
    const column = links.find(({ field }) => field.id === linked.field.id);
    if (column === undefined) return [];
    const edges: Edge[] = [];
    const own: string[] = [];
    ids.forEach((id, index) => {
      if (column.given !== undefined && column.given[index] !== true) return;
      own.push(id);
      ((column.values[index] ?? []) as { id: string }[]).forEach((target, at) =>
        edges.push({ own: id, foreign: target.id, at }),
      );
    });
    return [{ linked, column, own, edges }];
  });

/** For each record what the link is to lead to, as the statement that writes the records is given it. */
export const newLink = ({ linked, edges }: Wanted, ids: readonly string[]): NewLink => {
  const byOwn = new Map<string, string[]>();
  for (const { own, foreign } of edges) {
    const known = byOwn.get(own);
    if (known === undefined) byOwn.set(own, [foreign]);
    else known.push(foreign);
  }
  return { linked, ids: ids.map((id) => byOwn.get(id) ?? []) };
};

/** By field, the records that its links are to lead to. */
export const endsWanted = (wanted: readonly Wanted[]): ReadonlyMap<string, readonly string[]> =>
  new Map(wanted.map(({ linked, edges }) => [linked.field.id, [...new Set(edges.map(({ foreign }) => foreign))]]));

/** With typecast what is not there is left out, as titles that nobody has are. */
export const thatAreThere = (wanted: Wanted, locked: Locked): Wanted => {
  const there = locked.get(wanted.linked.foreign.id);
  return { ...wanted, edges: wanted.edges.filter(({ foreign }) => there?.has(foreign) === true) };
};

type Fault = { edge: Edge; message: string };

/** The same record twice where it may be linked once, or by somebody else. */
const takenBy = async (tx: Queryable, { linked, own, edges }: Wanted, seesAll: boolean): Promise<Fault[]> => {
  if (!linked.isExclusive) return [];
  const first = new Map<string, string>();
  const twice = edges.flatMap((edge): Fault[] => {
    const other = first.get(edge.foreign);
    first.set(edge.foreign, other ?? edge.own);
    return other === undefined
      ? []
      : [{ edge, message: `Record ${edge.foreign} would be linked by two records, ${other} and ${edge.own}` }];
  });
  if (twice.length > 0) return twice;
  const foreign = edges.map((edge) => edge.foreign);
  const taken = new Map((await selectTaken(tx, linked, own, foreign)).map((row) => [row.foreign, row.by]));
  return edges
    .filter((edge) => taken.has(edge.foreign))
    .map((edge) => ({
      edge,
      // Which one may be hidden.
      message: `Record ${edge.foreign} is already linked${seesAll ? ` by ${taken.get(edge.foreign)}` : ''}`,
    }));
};

const missing = ({ linked, edges }: Wanted, locked: Locked): Fault[] => {
  const there = locked.get(linked.foreign.id);
  return edges
    .filter(({ foreign }) => there?.has(foreign) !== true)
    .map((edge) => ({ edge, message: `Table "${linked.foreign.name}" has no record ${edge.foreign.slice(0, 50)}` }));
};

const refusal = (
  faults: readonly (Fault & { column: Column })[],
  ids: readonly string[],
  request: CellRequest,
): Error => {
  const errors = faults.map(({ edge, message, column: { field } }): CellError => {
    const index = ids.indexOf(edge.own);
    const recordId = request.rows[index]?.id;
    return {
      index,
      ...(recordId === undefined ? {} : { recordId }),
      field: keyOf(field, request.keyType),
      code: 'invalid_value',
      message,
      expected: 'records that exist and that no other record is linked to where only one may be',
    };
  });
  return cellErrors(errors, errors.length, request);
};

/** Refuses links to records that are not there. */
export const demandThere = (
  wanted: readonly Wanted[],
  locked: Locked,
  ids: readonly string[],
  request: CellRequest,
): void => {
  const faults = wanted.flatMap((one) => missing(one, locked).map((fault) => ({ ...fault, column: one.column })));
  if (faults.length > 0) throw refusal(faults, ids, request);
};

/** Refuses links to records that somebody else is linked to, where only one may be. */
export const demandFree = async (
  tx: Queryable,
  wanted: Wanted,
  ids: readonly string[],
  request: CellRequest,
  seesAll: boolean,
): Promise<void> => {
  const faults = (await takenBy(tx, wanted, seesAll)).map((fault) => ({ ...fault, column: wanted.column }));
  if (faults.length > 0) throw refusal(faults, ids, request);
};
