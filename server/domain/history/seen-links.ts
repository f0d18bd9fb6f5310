// Undoing one's own change of links, of which one sees a part: what stands in both states and is not seen stays where it is, since writing a link keeps it. What the change itself added or
// took away has to be seen, or it cannot be undone as a whole.
import { conflict } from '@rowhouse/contract/error.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Queryable } from '../../db/db.ts';
import { isLink, linkedBy } from '../cell/linked.sql.ts';
import { selectUnseen } from '../record/write/hidden-links.sql.ts';
import type { CellToRestore } from './restoration.ts';

export const notWhole = (): Error =>
  conflict('You do not see all that this change wrote any more; nothing was restored');

const idsIn = (cell: unknown): string[] => [cell ?? []].flat().map((item) => (item as { id: string }).id);

/** A list stays a list, and one without items is an empty cell. */
const without = (cell: unknown, unseen: ReadonlySet<string>): unknown => {
  if (!Array.isArray(cell)) return idsIn(cell).some((id) => unseen.has(id)) ? null : cell;
  const left = (cell as { id: string }[]).filter(({ id }) => !unseen.has(id));
  return left.length === 0 ? null : left;
};

export const withSeenLinks = async (
  tx: Queryable,
  sight: Sight,
  cells: readonly CellToRestore[],
): Promise<CellToRestore[]> => {
  const unseen = new Map<string, ReadonlySet<string>>();
  for (const fieldId of new Set(cells.map((cell) => cell.fieldId))) {
    const field = sight.rule.items?.has(fieldId) === true ? sight.byId.get(fieldId) : undefined;
    const linked = field !== undefined && isLink(field) ? linkedBy(field) : undefined;
    if (linked === undefined) continue;
    const named = cells.filter((cell) => cell.fieldId === fieldId);
    const ids = new Set(named.flatMap(({ value, expected }) => [...idsIn(value), ...idsIn(expected)]));
    unseen.set(fieldId, new Set(await selectUnseen(tx, sight, linked, [...ids])));
  }
  return cells.map((cell) => {
    const hidden = unseen.get(cell.fieldId);
    if (hidden === undefined || hidden.size === 0) return cell;
    const [before, after] = [new Set(idsIn(cell.value)), new Set(idsIn(cell.expected))];
    if ([...hidden].some((id) => before.has(id) !== after.has(id))) throw notWhole();
    return { ...cell, value: without(cell.value, hidden), expected: without(cell.expected, hidden) };
  });
};
