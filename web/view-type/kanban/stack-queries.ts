// What a stack of a board asks the server for. Its keys begin with the records of the table: it is read again when they change.
import { getAggregation, getRowCount } from '@rowhouse/contract/aggregation.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { inParts } from '../../app/in-parts.ts';
import { orderOf, whichRecords } from '../../record-data/own-query.ts';
import { recordsKey } from '../../record-data/queries.ts';
import type { StackTotal } from './stack-total.ts';
import type { Stack } from './use-stacks.ts';

interface AskedStack {
  tableId: string;
  view: View;
  /** What the board is stacked by. */
  field: Field;
  /** null: the records without one. */
  stack: Stack | null;
  search: string;
  projection: string[];
}

const pageSize = 50;

const filterOf = (field: Field, stack: Stack | null): FilterGroup => ({
  conjunction: 'and',
  filterSet: [
    stack === null
      ? { fieldId: field.id, operator: 'isEmpty', value: null }
      : { fieldId: field.id, operator: 'is', value: stack.key },
  ],
});

const queryOf = ({ view, field, stack, search }: AskedStack) => ({
  ...whichRecords(view.id, filterOf(field, stack)),
  fieldKeyType: 'id' as const,
  ...(search === '' ? {} : { search: [search, '', 'true'] }),
});

const keyOf = ({ tableId, view, field, stack, search }: AskedStack) => [
  ...recordsKey(tableId),
  'kanban',
  view.id,
  view.filter,
  view.sort,
  field.id,
  stack?.key ?? null,
  search,
];

export const stackSize = (asked: AskedStack) =>
  queryOptions({
    queryKey: [...keyOf(asked), 'count'],
    queryFn: ({ signal }) => call(getRowCount, { params: { tableId: asked.tableId }, query: queryOf(asked), signal }),
  });

export const stackCards = (asked: AskedStack) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(asked), 'cards', asked.projection],
    queryFn: ({ pageParam, signal }) =>
      inParts(pageParam, pageSize, async (skip, take) => {
        const query = {
          ...queryOf(asked),
          ...orderOf(asked.view.id),
          skip,
          take,
          projection: asked.projection,
          withGroups: false,
        };
        return (await call(listRecords, { params: { tableId: asked.tableId }, query, signal })).records;
      }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length * pageSize),
  });

export const stackTotal = (asked: AskedStack, { field, statistic }: StackTotal) =>
  queryOptions({
    queryKey: [...keyOf(asked), 'total', field.id, statistic],
    queryFn: async ({ signal }) => {
      const { fieldKeyType: _unused, ...query } = queryOf(asked);
      const { aggregations } = await call(getAggregation, {
        params: { tableId: asked.tableId },
        query: { ...query, [`field[${statistic}]`]: [field.id] },
        signal,
      });
      return aggregations[0]?.total?.value ?? null;
    },
  });
