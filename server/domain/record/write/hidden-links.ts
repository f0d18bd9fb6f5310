// Writing a link keeps what it leads to and the writer does not see; they link to nothing that they do not see.
import { ApiError } from '@rowhouse/contract/error.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Queryable } from '../../../db/db.ts';
import type { Locked } from '../../computed/lock.sql.ts';
import { keyOf } from '../read/field-key.ts';
import type { CellRequest } from './cells.ts';
import { selectHiddenLinks, selectUnseen } from './hidden-links.sql.ts';
import type { Wanted } from './wanted-links.ts';

/** What is there for the caller. */
export const lockedAndSeen = async (
  tx: Queryable,
  sight: Sight,
  wanted: readonly Wanted[],
  locked: Locked,
): Promise<Locked> => {
  const seen = new Map(locked);
  for (const { linked, edges } of wanted) {
    const unseen = new Set(await selectUnseen(tx, sight, linked, [...new Set(edges.map(({ foreign }) => foreign))]));
    if (unseen.size === 0) continue;
    const { id } = linked.foreign;
    seen.set(id, new Set([...(seen.get(id) ?? [])].filter((one) => !unseen.has(one))));
  }
  return seen;
};

/** The whole list is written, and what is hidden of it goes behind what is sent. Where only one may be, it is in the way. */
export const keepHidden = async (
  tx: Queryable,
  sight: Sight,
  wanted: Wanted,
  { keyType }: Pick<CellRequest, 'keyType'>,
): Promise<Wanted> => {
  const { linked, edges, own } = wanted;
  const hidden = await selectHiddenLinks(tx, sight, linked, own);
  if (hidden.length === 0) return wanted;
  if (!linked.isMultiple) {
    const recordIds = hidden.map((one) => one.own);
    const field = keyOf(linked.field, keyType);
    throw new ApiError(
      'restricted_resource',
      `The link ${JSON.stringify(field)} of ${recordIds.slice(0, 10).join(', ')} leads to a record that you do not see; it cannot be replaced`,
      {
        recordIds: recordIds.slice(0, 1_000),
        total: recordIds.length,
        cells: recordIds.slice(0, 1_000).map((recordId) => ({ recordId, field })),
      },
    );
  }
  const counts = new Map<string, number>();
  for (const edge of edges) counts.set(edge.own, Math.max(counts.get(edge.own) ?? 0, edge.at + 1));
  const kept = hidden.map((link) => {
    const at = counts.get(link.own) ?? 0;
    counts.set(link.own, at + 1);
    return { ...link, at };
  });
  return { ...wanted, edges: [...edges, ...kept] };
};
