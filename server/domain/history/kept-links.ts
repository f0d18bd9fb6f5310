// Links that belong to a deleted record and were not back when it was deleted.
import type { DeletedRecord } from '../record/write/deleted-record.sql.ts';

/** The record with these links at the end of a cell; null when nothing is to be added. A cell for one record that has one keeps it. */
export const withLinks = (
  record: DeletedRecord,
  fieldId: string,
  ends: readonly string[],
  isMultiple: boolean,
): DeletedRecord | null => {
  const isHidden = Object.hasOwn(record.row.hidden, fieldId);
  const cells = isHidden ? record.row.hidden : record.fields;
  const known = [cells[fieldId] ?? []].flat() as { id: string }[];
  const has = new Set(known.map(({ id }) => id));
  const more = ends.filter((id) => !has.has(id)).map((id) => ({ id }));
  if (more.length === 0 || (!isMultiple && known.length > 0)) return null;
  const changed = { ...cells, [fieldId]: isMultiple ? [...known, ...more] : more[0] };
  return isHidden ? { ...record, row: { ...record.row, hidden: changed } } : { ...record, fields: changed };
};
