// The ETag of a chart: a place in the feed of its base, and a mark of all else that it rests on. A reader who comes back with it is told that nothing changed without
// anything being counted. Where more than stored cells decides (rules of rights, today, names of people) it is the mark of the answer itself.
import { createHash } from 'node:crypto';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { FieldSchema, TableSchema } from '../../catalog/table.ts';
import type { Db, Handle } from '../../db/db.ts';
import { feedOperations } from '../feed/feed.sql.ts';
import { cellTypeOf } from '../cell/types.ts';
import { isQuietSince, selectFeedPlace } from '../../catalog/quiet.sql.ts';
import { type Drawn, fieldIdsInFilter, fieldIdsOf } from './resolve-chart.ts';

const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

/** Of the answer itself. */
export const bodyTag = (text: string): string => `"${hashOf(text)}"`;

const isSteadyField = (field: FieldSchema | undefined): boolean =>
  field !== undefined && field.computed?.state !== 'atRead' && cellTypeOf(field).kind !== 'person';

const hasMoving = (filter: unknown): boolean => {
  const { filterSet, value } = (filter ?? {}) as { filterSet?: unknown[]; value?: unknown };
  if (Array.isArray(filterSet)) return filterSet.some(hasMoving);
  const { mode } = (typeof value === 'object' && value !== null ? value : {}) as { mode?: string };
  return mode !== undefined && mode !== 'exactDate' && mode !== 'exactFormatDate';
};

interface Marked {
  sight: Sight;
  chart: Drawn;
  filters: readonly (FilterGroup | null)[];
  marks: readonly unknown[];
}

/** Undefined where the answer has to be made to know whether it is another one. */
export const markOf = ({ sight, chart, filters, marks }: Marked): string | undefined => {
  const { table } = sight;
  const named = [...fieldIdsOf(chart), ...filters.flatMap(fieldIdsInFilter)];
  const isMoving = chart.type === 'records' || ('trend' in chart && chart.trend != null) || filters.some(hasMoving);
  if (!sight.isWhole || isMoving || !named.every((id) => isSteadyField(table.byId.get(id)))) return undefined;
  return hashOf(table.id, table.version, chart, filters, sight.asker.userId, marks);
};

/** The tables whose records its cells follow from. */
const restsOn = ({ id, related }: TableSchema): string[] => [id, ...related.keys()];

const form = /^"(\d{1,15})-([\w-]{22})"$/;

/** Whether what was answered with this tag is what would be answered now. */
export const isUnchanged = async (db: Handle, table: TableSchema, mark: string, tag: string): Promise<boolean> => {
  const [, place, given] = form.exec(tag) ?? [];
  if (given !== mark || place === undefined) return false;
  return isQuietSince(db, table.baseId, restsOn(table), Number(place));
};

/** Brings the feed up to date: everything that is committed has a place in it. */
export const settleFeed = (db: Handle, baseId: string): Promise<void> =>
  db.kind === 'transaction' ? Promise.resolve() : feedOperations(db as Db, baseId);

/** To be asked before the answer is made: what happens meanwhile may be in it or not, and counts as after it. */
export const newTag = async (db: Handle, baseId: string, mark: string): Promise<string> =>
  `"${await selectFeedPlace(db, baseId)}-${mark}"`;
