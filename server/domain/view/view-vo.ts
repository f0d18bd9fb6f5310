// A view as the API shows it: what is not set is absent, as in Teable.
import type { Filter } from '@rowhouse/contract/filter.ts';
import { hiddenPassword } from '@rowhouse/contract/share-meta.ts';
import type { View } from '@rowhouse/contract/view.ts';
import type { Eyes } from '../../catalog/principal.ts';
import type { ViewRow } from './view.sql.ts';

/** Its address opens the records to anyone who has it: those who may not read them are not told it. */
const shareOf = (
  { share }: ViewRow,
  { seesCells }: Eyes,
  isHeld: boolean,
): Pick<View, 'enableShare' | 'shareId' | 'shareMeta' | 'isShareHeld'> => {
  if (share === null) return {};
  const meta = { ...share.meta, ...(share.hasPassword ? { password: hiddenPassword } : {}) };
  return {
    ...(seesCells ? { shareId: share.shareId } : {}),
    enableShare: share.isOn,
    ...(share.meta === null ? {} : { shareMeta: meta }),
    ...(share.isOn && isHeld ? { isShareHeld: true as const } : {}),
  };
};

/** `isHeld`: its share shows no records until somebody decides. */
export const viewVo = (row: ViewRow, eyes: Eyes, isHeld = false): View => ({
  id: row.id,
  name: row.name,
  type: row.type,
  ...(row.description === null ? {} : { description: row.description }),
  order: row.position,
  options: row.options,
  ...(row.filter === null ? {} : { filter: row.filter as Filter }),
  ...(row.sort === null ? {} : { sort: row.sort }),
  ...(row.group === null ? {} : { group: row.group }),
  ...(row.isLocked ? { isLocked: true as const } : {}),
  ...(row.ownerId === null ? {} : { personalOf: row.ownerId }),
  ...shareOf(row, eyes, isHeld),
  columnMeta: row.columnMeta,
  createdBy: row.createdBy,
  createdTime: row.createdTime,
  ...(row.lastModifiedBy === null ? {} : { lastModifiedBy: row.lastModifiedBy }),
  ...(row.lastModifiedTime === null ? {} : { lastModifiedTime: row.lastModifiedTime }),
});
