// What a condition of a grant may be compared with besides values: cells of the reader's own records in other tables, and their groups.
import type { Field } from '@rowhouse/contract/field.ts';
import { kindOf } from '@rowhouse/contract/field.ts';
import { groupKinds, readerKinds, readerOperators } from '@rowhouse/contract/reader-value.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { Besides, BesidesOf } from '../../field-type/filter/conditions.ts';
import { fieldsQuery, tablesQuery } from '../../record-data/queries.ts';

export interface PeopleTable {
  id: string;
  name: string;
  fields: readonly Field[];
}

const isOwn = (field: Field): boolean =>
  field.isLookup !== true && (kindOf(field) === 'link' || field.isComputed !== true);

const leadsTo = (field: Field): unknown =>
  kindOf(field) === 'link' ? (field.options as { foreignTableId?: string }).foreignTableId : undefined;

const ofGroups = (kind: string): Besides[] => {
  if (!groupKinds.includes(kind)) return [];
  return kind === 'person'
    ? [{ label: 'People of my groups', value: { type: 'myGroups', of: 'people' } }]
    : [{ label: 'Names of my groups', value: { type: 'myGroups', of: 'names' } }];
};

/** "My Regions in Staff", from the point of view of the one who reads. Of two person fields it says which one names them. */
export const readerValuesFor =
  (tables: readonly PeopleTable[]): BesidesOf =>
  (field, operator) => {
    if (!readerOperators.includes(operator)) return [];
    const kinds = readerKinds[kindOf(field)] ?? [];
    const ofTables = tables.flatMap(({ id: tableId, name, fields }): Besides[] => {
      const keys = fields.filter((one) => kindOf(one) === 'person' && isOwn(one));
      return keys.flatMap((key): Besides[] => {
        const by = keys.length > 1 ? ` (${key.name})` : '';
        const mine = { type: 'mine', tableId, keyFieldId: key.id } as const;
        const cells = fields.filter(
          (one) => isOwn(one) && kinds.includes(kindOf(one)) && leadsTo(one) === leadsTo(field),
        );
        return [
          ...(leadsTo(field) === tableId ? [{ label: `My records in ${name}${by}`, value: mine }] : []),
          ...cells.map((one) => ({ label: `My ${one.name} in ${name}${by}`, value: { ...mine, fieldId: one.id } })),
        ];
      });
    });
    return [...ofTables, ...ofGroups(kindOf(field))];
  };

export const useReaderValues = (baseId: string): BesidesOf => {
  const tables = useQuery(tablesQuery(baseId)).data ?? [];
  const fields = useQueries({ queries: tables.map(({ id }) => fieldsQuery(id)) });
  return readerValuesFor(tables.map(({ id, name }, index) => ({ id, name, fields: fields[index]?.data ?? [] })));
};
