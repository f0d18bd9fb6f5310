// The stacks of a board: the choices of a select, the people of the base, or the records that a link can lead to.
import type { Field } from '@rowhouse/contract/field.ts';
import { listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { choicesOf } from '../../field-type/cell/cell-parts.ts';
import { linkOptionsOf, linkTitle } from '../../field-type/link/linked.ts';
import { type BasePerson, recordsKey } from '../../record-data/queries.ts';

export interface Stack {
  /** What filters and cards that are dragged call it. */
  key: string;
  name: string;
  color: string;
}

export const mostStacks = 50;

export const stackFields = (fields: readonly Field[]): Field[] =>
  fields.filter(
    ({ type, isLookup, isMultipleCellValue, hasError }) =>
      isLookup !== true &&
      (type === 'singleSelect' ||
        (type === 'user' && isMultipleCellValue !== true) ||
        (type === 'link' && isMultipleCellValue !== true && hasError !== true)),
  );

export const stackFieldOf = (view: View, fields: readonly Field[]): Field | undefined =>
  stackFields(fields).find(({ id }) => id === view.options['stackFieldId']) ??
  stackFields(fields).find(({ type }) => type === 'singleSelect') ??
  stackFields(fields)[0];

/** Of people: those of the base. */
export const stacksOfPeople = (people: readonly { id: string; name: string }[]): Stack[] =>
  people.map(({ id, name }) => ({ key: id, name, color: 'grayLight1' }));

export const useStacks = (
  tableId: string,
  field: Field | undefined,
  people: readonly BasePerson[],
): readonly Stack[] | undefined => {
  const isLink = field?.type === 'link';
  const { foreignTableId = '', filterByViewId, lookupFieldId } = isLink ? linkOptionsOf(field) : {};
  // Under the table of the board: it hears when a linked record gets another name.
  const records = useQuery({
    queryKey: [...recordsKey(tableId), 'stacks', foreignTableId, filterByViewId, lookupFieldId],
    queryFn: async ({ signal }) =>
      (
        await call(listRecords, {
          params: { tableId: foreignTableId },
          query: {
            fieldKeyType: 'id',
            take: mostStacks + 1,
            withGroups: false,
            ...(lookupFieldId == null ? {} : { projection: [lookupFieldId] }),
            ...(filterByViewId == null ? {} : { viewId: filterByViewId }),
          },
          signal,
        })
      ).records,
    enabled: isLink,
    placeholderData: (before) => before,
  }).data;
  if (field === undefined) return [];
  if (field.type === 'user') return stacksOfPeople(people);
  if (!isLink) return choicesOf(field).map(({ name, color }) => ({ key: name, name, color }));
  // Only the field that gives the titles is read: other cells may be lists of thousands.
  const titleOf = ({ name, fields }: RecordVo): string =>
    name === undefined || name === '' ? String(fields[lookupFieldId ?? ''] ?? '') : name;
  return records?.map((record) => ({
    key: record.id,
    name: linkTitle({ title: titleOf(record) }),
    color: 'grayLight1',
  }));
};

/** What a card of this stack has in its cell. */
export const cellOfStack = (field: Field, stacks: readonly Stack[], key: string | null): unknown =>
  key === null || field.type === 'singleSelect'
    ? key
    : {
        id: key,
        ...(stacks.find((stack) => stack.key === key) === undefined
          ? {}
          : { title: stacks.find((stack) => stack.key === key)?.name }),
      };
