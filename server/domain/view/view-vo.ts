// A view as the API shows it: what is not set is absent, as in Teable.
import type { Filter } from '@rowhouse/contract/filter.ts';
import type { View } from '@rowhouse/contract/view.ts';
import type { ViewRow } from './view.sql.ts';

export const viewVo = (row: ViewRow): View => ({
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
  columnMeta: row.columnMeta,
  createdBy: row.createdBy,
  createdTime: row.createdTime,
  ...(row.lastModifiedBy === null ? {} : { lastModifiedBy: row.lastModifiedBy }),
  ...(row.lastModifiedTime === null ? {} : { lastModifiedTime: row.lastModifiedTime }),
});
