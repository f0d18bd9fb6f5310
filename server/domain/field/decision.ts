// What somebody decided when they shared a view: the condition that limits what visitors see, and everything that it rests on, in all tables that links join.
// A share shows nothing by a condition whose basis is another than the one that was decided. So no change of a schema can open it, whichever way it was made,
// and undoing the change releases it. See docs/adr/0080-decisions.md.
import { isDeepStrictEqual } from 'node:util';
import type { Condition, FilterGroup } from '@rowhouse/contract/filter.ts';
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import type { Basis, Decided, FieldSchema, RelatedTable, TableSchema, ViewSchema } from '../../catalog/table.ts';
import { choicesOf } from '../cell/kind/choice.sql.ts';
import { isLink } from '../cell/linked.sql.ts';
import { filterFieldIds, hostConditions, hostFieldOf } from '../cell/filter.sql.ts';
import { isLookedUp } from '../cell/looked-up.sql.ts';
import { cellTypeOf } from '../cell/types.ts';
import { upstream } from '../../catalog/dependency.ts';
import { brokenFields, dependenciesOf, needsIn } from '../computed/dependencies.ts';
import { shownFields } from '../../catalog/shown-fields.ts';
import { filterFits } from './stored-filter.ts';

/** The key of the view's own filter; others are ids of fields. */
const ofView = 'filter';

type Fields = Pick<RelatedTable, 'byId' | 'related'>;

const filterOf = (filter: unknown): FilterGroup | null =>
  ((filter ?? null) as FilterGroup | null)?.filterSet?.length === 0 ? null : ((filter ?? null) as FilterGroup | null);

/** Choices by their ids: one that gets another name is the same. */
const withChoiceIds = (item: Condition | FilterGroup, { byId }: Pick<RelatedTable, 'byId'>): unknown => {
  if ('filterSet' in item)
    return { conjunction: item.conjunction, filterSet: item.filterSet.map((one) => withChoiceIds(one, { byId })) };
  const field = byId.get(item.fieldId);
  const ids = new Map(field === undefined ? [] : choicesOf(field.options).map(({ id, name }) => [name, id]));
  const named = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(named) : typeof value === 'string' ? (ids.get(value) ?? value) : value;
  return { fieldId: item.fieldId, operator: item.operator, value: ids.size === 0 ? item.value : named(item.value) };
};

/** Options that say how a field looks, what a picker offers, or what follows from other facts. None of them changes which cells meet a condition. */
const looks = new Set([
  'showAs',
  'icon',
  'color',
  'max',
  'defaultValue',
  'preventAutoNewOptions',
  'shouldNotify',
  'visibleFieldIds',
  'filterByViewId',
  'filter',
  'symmetricFieldId',
  'isOneWay',
  'fkHostTableName',
  'choices',
  'formatting',
]);

/** `isRead`: other fields are computed from its cells, and see them as text. A condition on the field itself compares values. */
const factOf = (field: FieldSchema, table: Fields, isRead: boolean): unknown => {
  const { type, isLookup, lookupOptions, lineage, options } = field;
  const { linkFieldId, lookupFieldId, foreignTableId, filter, sort, limit } = lookupOptions ?? {};
  return {
    type,
    isLookup: isLookup === true,
    lineage: lineage ?? null,
    isBroken: brokenFields(table).has(field.id),
    // Options of a lookup are those of the field that it shows.
    options:
      isLookup === true
        ? {}
        : Object.fromEntries(Object.entries(options).filter(([key, value]) => !looks.has(key) && value != null)),
    ...(isRead || cellTypeOf(field).kind === 'date' ? { formatting: options.formatting ?? null } : {}),
    ...(isRead && Array.isArray(options.choices)
      ? { choices: Object.fromEntries(choicesOf(options).map(({ id, name }) => [id, name])) }
      : {}),
    ...(isLookedUp(field)
      ? {
          lookup: {
            linkFieldId,
            lookupFieldId,
            foreignTableId,
            filter: conditionOf(filter, table.related.get(foreignTableId ?? '')),
            sort,
            limit,
          },
        }
      : {}),
  };
};

const conditionOf = (filter: unknown, table: Pick<RelatedTable, 'byId'> | undefined): unknown => {
  const conditions = filterOf(filter);
  return conditions === null ? null : withChoiceIds(conditions, table ?? { byId: new Map() });
};

/** As JSON: it is compared with what the database kept. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The facts of the fields, of all that they need, and of the links that these are read through. */
const factsOf = (table: Fields, fieldIds: Iterable<string>): Record<string, unknown> => {
  const dependencies = dependenciesOf(table);
  const named = new Set(fieldIds);
  const reached = upstream(needsIn(dependencies), named);
  const through = [...reached].flatMap((id) => dependencies.get(id)?.through ?? []);
  const isRead = new Set([...reached].flatMap((id) => dependencies.get(id)?.needs ?? []));
  const facts = [...new Set([...reached, ...through])].map((id): [string, unknown] => {
    const node = dependencies.get(id);
    const home = node === undefined ? undefined : table.related.get(node.table.id);
    return [id, node === undefined || home === undefined ? null : factOf(node.field, home, isRead.has(id))];
  });
  return Object.fromEntries(facts);
};

/** Of a filter over the records of a table. */
const basisOf = (filter: unknown, table: Fields): Basis => {
  const conditions = filterOf(filter);
  return plain({ filter: conditionOf(conditions, table), fields: factsOf(table, filterFieldIds(conditions)) });
};

const limitsCells = ({ lookupOptions }: FieldSchema): boolean =>
  filterOf(lookupOptions?.filter) !== null || lookupOptions?.limit != null;

/** What limits the records that cells of a field come from, its own and those of what it needs; null when nothing does. The first so many are a matter of the sort. */
const cellsBasis = (field: FieldSchema, table: Fields): Basis | null => {
  const dependencies = dependenciesOf(table);
  const limited = [...upstream(needsIn(dependencies), [field.id])]
    .flatMap((id) => dependencies.get(id)?.field ?? [])
    .filter(limitsCells);
  if (limited.length === 0) return null;
  const named = limited.flatMap(({ lookupOptions }) => {
    const filter = filterOf(lookupOptions?.filter);
    return [
      ...filterFieldIds(filter),
      ...hostConditions(filter).flatMap((condition) => hostFieldOf(condition) ?? []),
      ...(lookupOptions?.limit == null || lookupOptions.sort == null ? [] : [lookupOptions.sort.fieldId]),
    ];
  });
  const own = limited.map(({ id, lookupOptions }) => [
    id,
    {
      filter: conditionOf(lookupOptions?.filter, table.related.get(lookupOptions?.foreignTableId ?? '')),
      sort: lookupOptions?.sort,
      limit: lookupOptions?.limit,
    },
  ]);
  return plain({ filter: Object.fromEntries(own) as unknown, fields: factsOf(table, named) });
};

/** A view that limits what a link offers, as the database has it. */
export interface LimitView {
  id: string;
  filter: unknown;
  decided: Decided | null;
}

export type LimitViews = ReadonlyMap<string, LimitView>;

export const limitViewOf = ({ options }: FieldSchema): string | null =>
  typeof options.filterByViewId === 'string' ? options.filterByViewId : null;

/** What a link offers in a form. A limit by a view that is not there any more is another one than by the view. */
const limitBasis = (link: FieldSchema, table: Fields, limits: LimitViews): Basis => {
  const foreign = table.related.get(String(link.options.foreignTableId));
  const view = limits.get(limitViewOf(link) ?? '');
  const own = foreign === undefined ? { filter: 'no table', fields: {} } : basisOf(link.options.filter, foreign);
  return {
    ...own,
    view: view === undefined || foreign === undefined ? null : { id: view.id, basis: basisOf(view.filter, foreign) },
  };
};

const offeredLinks = (view: ViewSchema, table: TableSchema): FieldSchema[] =>
  shapeOf(view.type).share === 'answers'
    ? table.fields.filter((field) => isLink(field) && shownFields(view, table).has(field.id))
    : [];

/** Ids of the views that limit the links of a form. */
export const limitsNamedBy = (view: ViewSchema, table: TableSchema): string[] =>
  offeredLinks(view, table).flatMap((link) => limitViewOf(link) ?? []);

/** What a share of the view rests on now. `isWhole`: it shows hidden fields, too. */
export const decisionOf = (view: ViewSchema, table: TableSchema, limits: LimitViews, isWhole: boolean): Decided => {
  const links = offeredLinks(view, table).map((link): [string, Basis] => [link.id, limitBasis(link, table, limits)]);
  if (shapeOf(view.type).share === 'answers')
    return { ...Object.fromEntries(links), [ofView]: basisOf(view.filter, table) };
  const shown = shownFields(view, table);
  const cells = table.fields
    .filter(({ id }) => isWhole || shown.has(id))
    .flatMap((field): [string, Basis][] => {
      const basis = cellsBasis(field, table);
      return basis === null ? [] : [[field.id, basis]];
    });
  return { ...Object.fromEntries(cells), [ofView]: basisOf(view.filter, table) };
};

const choicesIn = (fact: unknown): Record<string, string> =>
  (fact as { choices?: Record<string, string> } | null)?.choices ?? {};

/** A new choice is in no cell yet. */
const isSameFact = (decided: unknown, now: unknown): boolean => {
  const [was, is] = [choicesIn(decided), choicesIn(now)];
  const without = (fact: unknown): unknown =>
    typeof fact === 'object' && fact !== null ? { ...fact, choices: null } : fact;
  return (
    isDeepStrictEqual(without(decided), without(now)) && Object.entries(was).every(([id, name]) => is[id] === name)
  );
};

const isSameBasis = (decided: Basis | undefined, now: Basis): boolean => {
  if (typeof decided?.fields !== 'object' || decided.fields === null) return false;
  const ids = new Set([...Object.keys(decided.fields), ...Object.keys(now.fields)]);
  return (
    isDeepStrictEqual(decided.filter, now.filter) &&
    [...ids].every((id) => id in decided.fields && id in now.fields && isSameFact(decided.fields[id], now.fields[id]))
  );
};

/** Whether a link of a form offers what somebody decided. Setting the filter of the view that limits it is a decision, too. */
const isSameLimit = (decided: Basis | undefined, now: Basis, limits: LimitViews): boolean => {
  if (decided === undefined) return true;
  if (!isSameBasis(decided, now) || decided.view?.id !== now.view?.id) return false;
  if (now.view == null) return decided.view == null;
  return (
    isSameBasis(decided.view?.basis, now.view.basis) ||
    isSameBasis(limits.get(now.view.id)?.decided?.[ofView], now.view.basis)
  );
};

/** A link of a form that offers nothing, until somebody decides. */
export const isLinkHeld = (view: ViewSchema, link: FieldSchema, table: TableSchema, limits: LimitViews): boolean =>
  view.decided != null &&
  !(
    isSameBasis(view.decided[ofView], basisOf(view.filter, table)) &&
    isSameLimit(view.decided[link.id], limitBasis(link, table, limits), limits)
  );

const noBasis: Basis = { filter: null, fields: {} };

/** A share that shows no records, until somebody decides. `isWhole`: it shows hidden fields, too. A view without a decision rests on what there is. */
export const areRecordsHeld = (view: ViewSchema, table: TableSchema, isWhole: boolean): boolean => {
  const { decided } = view;
  if (decided == null) return false;
  if (!filterFits(view.filter, table)) return true;
  if (!isSameBasis(decided[ofView], basisOf(view.filter, table))) return true;
  if (shapeOf(view.type).share === 'answers') return false;
  const shown = shownFields(view, table);
  return Object.entries(decided).some(([id, basis]) => {
    const field = table.byId.get(id);
    return (
      field !== undefined && (isWhole || shown.has(id)) && !isSameBasis(basis, cellsBasis(field, table) ?? noBasis)
    );
  });
};

/** A share that shows no records, or of a form: with a link that offers none. */
export const isHeld = (view: ViewSchema, table: TableSchema, limits: LimitViews, isWhole: boolean): boolean =>
  areRecordsHeld(view, table, isWhole) ||
  offeredLinks(view, table).some((link) => isLinkHeld(view, link, table, limits));

/** The decision of a view whose filter somebody sets. */
export const withFilter = (view: ViewSchema, table: TableSchema): Decided => ({
  ...view.decided,
  [ofView]: basisOf(view.filter, table),
});

/** With what is shown for the first time, and what somebody has defined again; without what is not shown any more. */
export const withNew = (
  decided: Decided | null,
  present: Decided,
  isShown: (fieldId: string) => boolean,
  defined: ReadonlySet<string>,
): Decided => {
  if (decided === null) return present;
  const before = Object.entries(decided).filter(([key]) => key === ofView || (isShown(key) && !defined.has(key)));
  return { ...present, ...Object.fromEntries(before) };
};
