// Computed fields that a role is granted and does not see everywhere, with what hides them, and what would have to be revealed.
import type { HiddenField } from '@rowhouse/contract/rights-explained.ts';
import type { Rights } from '../../catalog/rights.ts';
import type { TableSchema } from '../../catalog/table.ts';
import { isLink } from '../cell/linked.sql.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { hiddenSources, revealsFor } from './sources.ts';
import { rightsOn } from './state.ts';

export const hiddenFields = (rights: Rights, tables: readonly TableSchema[]): HiddenField[] =>
  tables.flatMap((table) => {
    const seen = rightsOn(rights, table);
    if (seen === null) return [];
    const home = table.related.get(table.id) ?? table;
    return home.fields.flatMap((field): HiddenField[] => {
      const isComputed = field.isLookup === true || (fieldTypeOf(field).isComputed && !isLink(field));
      if (!isComputed || rights.cell?.(table.id, field.id) === false) return [];
      const isThere = seen.fieldIds === null || seen.fieldIds.has(field.id);
      if (isThere && seen.cells?.has(field.id) !== true) return [];
      const reveals = revealsFor(rights, home, field);
      if (reveals.length === 0) return [];
      const sees = isThere ? 'some' : 'none';
      const hiddenBy = hiddenSources(rights, home, field);
      return [{ tableId: table.id, fieldId: field.id, fieldName: field.name, sees, hiddenBy, reveals }];
    });
  });
