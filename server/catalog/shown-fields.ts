// Which fields a view shows, and which are read through it. Asked through a sight (`shownIn`, `readIn`), and by shares when they make one.
import type { FieldSchema, RelatedTable, ViewSchema } from './table.ts';

/** Fields that a view cannot do without: stacks, covers, dates, colours. */
const namedIn = ({ options }: ViewSchema): unknown[] => [
  ...['stackFieldId', 'coverFieldId', 'colorFieldId', 'startDateFieldId', 'endDateFieldId', 'titleFieldId'].map(
    (key) => options[key],
  ),
  (options.colorConfig as { fieldId?: string } | null | undefined)?.fieldId,
];

/** Grids name what they hide, the other views what they show. */
export const isShownIn = (view: ViewSchema): ((field: Pick<FieldSchema, 'id' | 'isPrimary'>) => boolean) => {
  const named = new Set(namedIn(view));
  return ({ id, isPrimary }) => {
    const column = view.columnMeta[id];
    if (view.type === 'form') return column?.visible === true;
    if (view.type === 'grid') return isPrimary || column?.hidden !== true;
    return isPrimary || column?.visible === true || named.has(id);
  };
};

/**
 * When no fields are named, reading through a view leaves out those that it says are hidden. Of a field that was added later it says nothing: clients of boards
 * and calendars read such fields too, by which they place a record.
 */
export const isReadIn =
  (view: ViewSchema) =>
  ({ id, isPrimary }: Pick<FieldSchema, 'id' | 'isPrimary'>): boolean => {
    const column = view.columnMeta[id];
    return isPrimary || (view.type === 'grid' ? column?.hidden !== true : column?.visible !== false);
  };

export const shownFields = (view: ViewSchema, { fields }: Pick<RelatedTable, 'fields'>): Set<string> =>
  new Set(fields.filter(isShownIn(view)).map(({ id }) => id));
