// Which fields a view shows.
import type { RelatedTable, ViewSchema } from '../../catalog/table.ts';

/** Fields that a view cannot do without: stacks, covers, dates, colours. */
const namedIn = ({ options }: ViewSchema): unknown[] => [
  ...['stackFieldId', 'coverFieldId', 'colorFieldId', 'startDateFieldId', 'endDateFieldId', 'titleFieldId'].map(
    (key) => options[key],
  ),
  (options.colorConfig as { fieldId?: string } | null | undefined)?.fieldId,
];

export const shownFields = (view: ViewSchema, { fields }: Pick<RelatedTable, 'fields'>): Set<string> => {
  const named = new Set(namedIn(view));
  const isShown = ({ id, isPrimary }: { id: string; isPrimary: boolean }): boolean => {
    const column = view.columnMeta[id];
    if (view.type === 'form') return column?.visible === true;
    if (view.type === 'grid') return isPrimary || column?.hidden !== true;
    return isPrimary || column?.visible === true || named.has(id);
  };
  return new Set(fields.filter(isShown).map(({ id }) => id));
};
