// GET …/view/:viewId/filter-link-records and …/field/:fieldId/filter-link-records
import { invalid, notFound } from '@rowhouse/contract/error.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { listViewFilterRecords as endpoint } from '@rowhouse/contract/filter-link.ts';
import { type FilterGroup, readFilter } from '@rowhouse/contract/filter.ts';
import { cellBeside, type Sight, viewIn } from '../../../catalog/sight.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import type { Unconfirmed } from '../../../context.ts';
import { guardedRead, seen } from '../../../pipeline/pipeline.ts';
import { filterFieldOf } from '../../field/field-vo.ts';
import { isLink, type Linked, linkedBy } from '../../cell/linked.sql.ts';
import { type SeenTitles, selectTitles } from '../write/link-targets.sql.ts';

type Named = ResponseOf<typeof endpoint>;

const hidden = { rows: false, title: false };

interface Filtering {
  filter: FilterGroup | null | undefined;
  /** The fields that it is about. */
  fields: ReadonlyMap<string, FieldSchema>;
}

/** Records that filters name, by the id of their table. */
export type NamedIn = Map<string, { linked: Linked; ids: Set<string> }>;

export const collectNamed = ({ filter, fields }: Filtering, found: NamedIn): void => {
  for (const item of filter?.filterSet ?? []) {
    if ('filterSet' in item) {
      collectNamed({ filter: item, fields }, found);
      continue;
    }
    const field = fields.get(item.fieldId);
    const linked = field === undefined || !isLink(field) ? undefined : linkedBy(field);
    if (linked === undefined) continue;
    const known = found.get(linked.foreign.id) ?? { linked, ids: new Set<string>() };
    for (const value of [item.value].flat())
      if (typeof value === 'string' && value.startsWith('rec')) known.ids.add(value);
    if (known.ids.size > 0) found.set(linked.foreign.id, known);
  }
};

/** Of a link of another table nothing is known here to those who are bound by rules, also where they see all of their own one. */
export const seenTitles = (sight: Sight, { field, own }: Linked): SeenTitles | undefined => {
  const { rule, table, asker } = sight;
  const isOfBound = cellBeside(sight, own.id, field.id) !== undefined;
  const items = own.id === table.id ? rule.items?.get(field.id) : isOfBound ? hidden : undefined;
  return items === undefined ? undefined : { ...items, asker };
};

const listNamed = (request: Unconfirmed, filteringOf: (sight: Sight) => Filtering): Promise<Named> =>
  guardedRead(request, async (context, sight) => {
    const found: NamedIn = new Map();
    collectNamed(filteringOf(sight), found);
    const named: Named = [];
    for (const [tableId, { linked, ids }] of found)
      named.push({
        tableId,
        records: await selectTitles(context.db, linked, [...ids], seenTitles(sight, linked)),
      });
    return seen(context, sight, named);
  });

export const listViewFilterRecords = (request: Unconfirmed, viewId: string): Promise<Named> =>
  listNamed(request, (sight) => {
    const view = viewIn(sight, viewId);
    return { filter: view.filter as FilterGroup | null, fields: sight.byId };
  });

/** The filter is about the table that it leads to. */
export const listFieldFilterRecords = (request: Unconfirmed, fieldId: string): Promise<Named> =>
  listNamed(request, (sight) => {
    const { table, byId } = sight;
    const field = byId.get(fieldId);
    if (field === undefined) throw notFound('Field', fieldId);
    const { filter, foreignTableId } = (
      isLink(field) ? field.options : { ...field.options, ...field.lookupOptions }
    ) as { filter?: FilterGroup | null; foreignTableId?: string };
    if (foreignTableId === table.id) return { filter, fields: byId };
    const foreign = table.related.get(foreignTableId ?? '');
    const seenThere = (foreign?.fields ?? []).filter(({ id }) => cellBeside(sight, foreign?.id ?? '', id) !== false);
    return { filter, fields: new Map(seenThere.map((one) => [one.id, one])) };
  });

/** Of a filter about the table itself, wherever it stands. */
export const listNamedRecords = (request: Unconfirmed, given: unknown): Promise<Named> =>
  listNamed(request, ({ fields, byId }) => {
    const known = new Map(fields.map((field) => [field.id, filterFieldOf(field)]));
    const { filter, issues } = readFilter(given, known, '');
    if (issues.length > 0) throw invalid(issues);
    return { filter, fields: byId };
  });
