// How large cells are, before they are read or put together: a text can repeat itself, so that a small table makes large lists.
import type { FieldSchema } from '../../catalog/table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { cellTypeOf } from './registry.ts';

/** Bytes of a cell of any type: as many as a long text can have. What other records hold is listed up to there. */
export const mostCellBytes = 4_000_000;

/** Characters of a title in the cell of a link. A cell can lead to 20,000 records. */
export const longestTitle = 1_000;

/** Whether several cells of it may be too much to be listed. */
export const mayBeLarge = (field: FieldSchema): boolean => {
  const { kind, isMultiple } = cellTypeOf(field);
  return isMultiple || kind === 'text' || kind === 'link';
};

/**
 * The bytes of a cell. PostgreSQL knows them of text without reading it. Of JSON it knows what is stored, so that what is compressed has to be unpacked: `#> '{}'`
 * is the value itself, and takes a tenth of the time of its text.
 */
export const bytesOf = (field: FieldSchema, cell: Sql): Sql =>
  cellTypeOf(field).column === 'jsonb'
    ? sql`case when pg_column_compression(${cell}) is null then pg_column_size(${cell}) else pg_column_size(${cell} #> '{}') end`
    : sql`octet_length(${cell})`;
