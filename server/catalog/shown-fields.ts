// Which fields a view shows. Grids name what they hide, the other views what they show. Asked through a sight (`fieldsIn`), and by shares when they make one.
import type { FieldSchema, RelatedTable, ViewSchema } from './table.ts';

/** Fields that a view cannot do without: stacks, covers, dates, colours. */
const namedIn = ({ options }: ViewSchema): unknown[] => [
  ...['stackFieldId', 'coverFieldId', 'colorFieldId', 'startDateFieldId', 'endDateFieldId', 'titleFieldId'].map(
    (key) => options[key],
  ),
  (options.colorConfig as { fieldId?: string } | null | undefined)?.fieldId,
];

export const isShownIn = (view: ViewSchema): ((field: Pick<FieldSchema, 'id' | 'isPrimary'>) => boolean) => {
  const named = new Set(namedIn(view));
  return ({ id, isPrimary }) => {
    const column = view.columnMeta[id];
    if (view.type === 'form') return column?.visible === true;
    if (view.type === 'grid') return isPrimary || column?.hidden !== true;
    return isPrimary || column?.visible === true || named.has(id);
  };
};

export const shownFields = (view: ViewSchema, { fields }: Pick<RelatedTable, 'fields'>): Set<string> =>
  new Set(fields.filter(isShownIn(view)).map(({ id }) => id));
