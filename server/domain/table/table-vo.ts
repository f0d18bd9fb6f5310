import type { Table } from '@rowhouse/contract/table.ts';
import type { TableRow } from './table.sql.ts';

export const tableVo = (baseId: string, row: TableRow): Table => ({
  id: row.id,
  name: row.name,
  dbTableName: `${baseId}.${row.dbTableName}`,
  ...(row.description === null ? {} : { description: row.description }),
  ...(row.icon === null ? {} : { icon: row.icon }),
  order: row.position,
  lastModifiedTime: row.lastModifiedTime,
  ...(row.defaultViewId === null ? {} : { defaultViewId: row.defaultViewId }),
});
