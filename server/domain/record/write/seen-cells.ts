// Anyone who changes a list can say what it was when they made the change. What somebody else put into it since is not overwritten: 409 says what it is by
// now, and to those who see the history who wrote it and when. See docs/adr/0055-lists-in-cells.md.
import { conflict, forbidden, invalid } from '@rowhouse/contract/error.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Sight } from '../../../catalog/sight.ts';
import type { Queryable } from '../../../db/db.ts';
import { fieldsBy } from '../read/field-key.ts';
import { selectRecords } from '../read/read.sql.ts';
import type { CellRequest } from './cells.ts';
import { selectLastWriters } from './last-writer.sql.ts';

export interface SeenRow {
  id: string;
  fields: Record<string, unknown>;
  /** By field key. */
  before?: Record<string, unknown> | undefined;
}

type SeenRequest = Pick<CellRequest, 'keyType'> & { rows: readonly SeenRow[] };

export const hasSeen = ({ rows }: Pick<SeenRequest, 'rows'>): boolean =>
  rows.some(({ before }) => before !== undefined && Object.keys(before).length > 0);

/** Only what is written can be compared. */
export const demandWritten = ({ rows }: Pick<SeenRequest, 'rows'>): void => {
  rows.forEach(({ fields, before }, index) => {
    const other = Object.keys(before ?? {}).find((key) => !Object.hasOwn(fields, key));
    if (other !== undefined)
      throw invalid({
        path: `records[${index}].before.${other.slice(0, 50)}`,
        message: 'This request does not write that cell',
        expected: 'only keys that are in `fields`, too',
      });
  });
};

/** People, records and files are told apart by their ids; titles and addresses may be others by now. */
const itemKey = (item: unknown): unknown => {
  if (typeof item !== 'object' || item === null) return item;
  const { id, token } = item as { id?: unknown; token?: unknown };
  return token ?? id ?? item;
};

const itemsOf = (cell: unknown): unknown[] =>
  (cell === null || cell === undefined ? [] : Array.isArray(cell) ? cell : [cell]).map(itemKey);

/** Cells of which it is said who wrote them. */
const mostNamed = 100;

/** Once the records are locked, and before anything is written. */
export const demandSeen = async (
  db: Queryable,
  sight: Sight,
  { rows, keyType }: SeenRequest,
  seesHistory: boolean,
): Promise<void> => {
  const compared = rows.flatMap(({ id, before }) =>
    Object.entries(before ?? {}).map(([key, value]) => ({ recordId: id, key, value })),
  );
  if (compared.length === 0) return;
  // Whether a cell is what they say is what it is.
  if (!sight.seesCells) throw forbidden('This token lacks the scope record|read, needed for `before`');
  const known = fieldsBy(sight, keyType);
  const fields = [...new Set(compared.flatMap(({ key }) => known.get(key) ?? []))];
  const found = await selectRecords(db, sight, [...new Set(compared.map(({ recordId }) => recordId))], {
    fields,
    keyType,
    format: 'json',
  });
  const cells = new Map(
    found.map(({ id, json }) => [id, (JSON.parse(`${json}}`) as { fields: Record<string, unknown> }).fields]),
  );
  const present = compared.flatMap(({ recordId, key, value }) => {
    const record = cells.get(recordId);
    return record === undefined || isDeepStrictEqual(itemsOf(record[key]), itemsOf(value))
      ? []
      : [{ recordId, field: key, value: record[key] ?? null }];
  });
  if (present.length === 0) return;
  const writers = seesHistory
    ? await selectLastWriters(
        db,
        sight.table,
        present.slice(0, mostNamed).map(({ recordId, field }) => ({ recordId, fieldId: known.get(field)?.id ?? '' })),
      )
    : [];
  const writerOf = ({ recordId, field }: (typeof present)[number]) =>
    writers.find((writer) => writer.recordId === recordId && writer.fieldId === known.get(field)?.id);
  throw conflict(
    `The cell ${present[0]?.field} of ${present[0]?.recordId} has changed since it was read; make the change to what it is now, which is in "present"`,
    {
      present: present.map((cell) => {
        const { by, time } = writerOf(cell) ?? {};
        return { ...cell, ...(time === undefined ? {} : { by, time }) };
      }),
    },
  );
};
