// The pure part of a restore: which cells get which values, and what stands in the way.
import { isDeepStrictEqual } from 'node:util';
import type { RestoreConflict } from '@rowhouse/contract/history.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import type { CellContext } from '../cell/type.ts';
import { withoutEmails } from '../cell/type/user.ts';
import { fieldTypeOf } from '../cell/types.ts';
import type { EntryRow, MetaRow } from './history.sql.ts';

export interface CellToRestore {
  recordId: string;
  fieldId: string;
  /** What to write back: the `before` of the oldest entry. */
  value: unknown;
  /** What the cell holds if nobody touched it since: the `after` of the newest entry. */
  expected: unknown;
}

const parse = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

/** Entries come newest first; several of one cell are undone together. */
export const cellsOf = (entries: readonly EntryRow[], metas: ReadonlyMap<number, MetaRow>): CellToRestore[] => {
  const cells = new Map<string, CellToRestore>();
  for (const entry of entries) {
    const { fieldId } = metas.get(entry.metaId) as MetaRow;
    const key = `${entry.recordId}/${fieldId}`;
    const known = cells.get(key);
    if (known === undefined)
      cells.set(key, { recordId: entry.recordId, fieldId, value: parse(entry.before), expected: parse(entry.after) });
    else known.value = parse(entry.before);
  }
  return [...cells.values()];
};

interface Restoration {
  rows: { id: string; fields: Record<string, unknown> }[];
  cells: number;
  /** Keep a plain restore from happening. */
  conflicts: RestoreConflict[];
  /** Cannot be restored even by force. */
  impossible: RestoreConflict[];
}

const conflict = (cell: CellToRestore, reason: RestoreConflict['reason'], message: string): RestoreConflict => ({
  recordId: cell.recordId,
  fieldId: cell.fieldId,
  reason,
  message,
});

/** What has become of a cell, for those who see it. */
const presentText = (sight: Sight, field: FieldSchema, cell: unknown): string => {
  if (!sight.seesCells) return 'changed';
  if (cell === null) return 'cleared';
  const shown = sight.seesEmails || fieldTypeOf(field).namesPeople !== true ? cell : withoutEmails(cell);
  return `set to ${JSON.stringify(shown).slice(0, 200)}`;
};

export const prepareRestoration = (
  sight: Sight,
  cells: readonly CellToRestore[],
  current: ReadonlyMap<string, Record<string, unknown>>,
  context: CellContext,
  options: { compare: boolean },
): Restoration => {
  const restoration: Restoration = { rows: [], cells: 0, conflicts: [], impossible: [] };
  const rows = new Map<string, Record<string, unknown>>();
  for (const cell of cells) {
    const field = sight.byId.get(cell.fieldId);
    const record = current.get(cell.recordId);
    if (field === undefined) restoration.impossible.push(conflict(cell, 'field_deleted', 'The field is deleted'));
    else if (record === undefined)
      restoration.impossible.push(conflict(cell, 'record_deleted', 'The record is deleted'));
    else if (fieldTypeOf(field).isComputed)
      restoration.impossible.push(conflict(cell, 'computed', `"${field.name}" is computed now`));
    else {
      const now = record[cell.fieldId] ?? null;
      const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(identityOf(one), identityOf(other));
      const identityOf = (value: unknown): unknown => fieldTypeOf(field).identity?.(value) ?? value;
      if (options.compare && !isSame(now, cell.expected)) {
        restoration.conflicts.push(
          conflict(cell, 'changed_since', `"${field.name}" has since been ${presentText(sight, field, now)}`),
        );
      }
      const fits = cell.value === null || fieldTypeOf(field).read(cell.value, field, context).ok;
      if (!fits)
        restoration.conflicts.push(
          conflict(cell, 'does_not_fit', `The old value does not fit "${field.name}" any more`),
        );
      if (isSame(now, cell.value)) continue;
      const fields = rows.get(cell.recordId) ?? {};
      fields[cell.fieldId] = cell.value;
      rows.set(cell.recordId, fields);
      restoration.cells += 1;
    }
  }
  restoration.rows = [...rows].map(([id, fields]) => ({ id, fields }));
  return restoration;
};
