import type { listAuthorityRoleFilterRecords as endpoint } from '@rowhouse/contract/authority-matrix.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { loadTable } from '../../catalog/table.ts';
import { eyesOf } from '../../catalog/principal.ts';
import type { Context } from '../../context.ts';
import { collectNamed, type NamedIn } from '../record/read/list-filter-records.ts';
import { selectTitles } from '../record/write/link-targets.sql.ts';
import { readRole } from './read-matrix.ts';
import { selectParts } from './matrix.sql.ts';

/** For those who manage the rights: they see all records. A token without the scope for cells gets no titles. */
export const listAuthorityRoleFilterRecords = async (
  context: Context,
  { baseId, tableId }: { baseId: string; tableId: string },
  { authorityMatrixRoleId }: { authorityMatrixRoleId: string },
): Promise<ResponseOf<typeof endpoint>> => {
  const role = await readRole(context, baseId, authorityMatrixRoleId);
  const parts = await selectParts(context.db, baseId);
  if (!parts.some(({ id }) => id === tableId)) throw notFound('Table', tableId);
  const { byId } = await loadTable(context.db, baseId, tableId);
  const grants = role.tables.find((table) => table.tableId === tableId)?.grants ?? [];
  const found: NamedIn = new Map();
  for (const { when, after } of grants)
    for (const filter of [when, after])
      collectNamed({ filter: filter as FilterGroup | null | undefined, fields: byId }, found);
  const { seesCells } = eyesOf(context.principal);
  return Promise.all(
    [...found].map(async ([foreignId, { linked, ids }]) => ({
      tableId: foreignId,
      records: (await selectTitles(context.db, linked, [...ids])).map((record) =>
        seesCells ? record : { id: record.id },
      ),
    })),
  );
};
