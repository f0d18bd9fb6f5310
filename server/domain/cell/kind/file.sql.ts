// Cells that are lists of files: a jsonb array of mentions, which is never empty. Addresses where files can be read are not
// in the cells: they are added to every answer when it is sent, by `domain/file/show-files.ts`.
import { type Sql, sql } from '../../../db/sql.ts';
import type { CellType } from '../type.ts';
import { beginning, distinctCells, holdsText, sharedStatistic } from './shared.sql.ts';

const joined = (column: Sql, item: Sql, between: Sql): Sql =>
  sql`(select string_agg(${item}, ${between} order by files.at) from jsonb_array_elements(${column}) with ordinality as files(file, at))`;

const names = (column: Sql): Sql => joined(column, sql`files.file ->> 'name'`, sql`', '`);

/** `a.png table/att…`: for a download, in which addresses take the place of what stands behind `mark`. */
export const namesAndPaths = (column: Sql, mark: string): Sql =>
  joined(column, sql`(files.file ->> 'name') || ' ' || ${sql.literal(mark)} || (files.file ->> 'path')`, sql`','`);

export const fileCells: CellType = {
  kind: 'file',
  cellValueType: 'string',
  dbFieldType: 'JSON',
  isMultiple: true,
  column: 'jsonb',
  json: (column) => sql`${column}::text`,
  // With the token, so that what was copied finds its files again.
  text: (column) => joined(column, sql`(files.file ->> 'name') || ' (' || (files.file ->> 'token') || ')'`, sql`','`),
  condition: () => sql`false`,
  filterKey: () => null,
  sortKey: (column) => ({ expression: beginning(names(column)), type: 'text', indexable: false }),
  groupKey: (column) => ({
    keys: [
      { expression: beginning(names(column)), type: 'text', indexable: false },
      { expression: sql`${column}::text`, type: 'text', indexable: false },
    ],
    sample: () => sql`min(${column}::text)`,
    value: (_keys, sample) => sample,
  }),
  canMatch: () => true,
  matches: (column, text) => holdsText(names(column), text),
  searched: names,
  statistic: (statistic, column) =>
    statistic === 'totalAttachmentSize'
      ? sql`(select coalesce(sum((file ->> 'size')::bigint), 0)::bigint from unnest(array_agg(${column})) as cell, jsonb_array_elements(cell) as file)`
      : sharedStatistic(statistic, column, distinctCells(sql`${column}::text`)),
};
