// The statistics that the columns of a view show, over everything it finds and per group.
import { getAggregation, type Statistic } from '@rowhouse/contract/aggregation.ts';
import type { Field } from '@rowhouse/contract/field.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { call } from '../../../app/call.ts';
import { type Column, metaOf } from '../../../record-data/columns.ts';
import type { GroupHeader } from '../group/group-rows.ts';
import { groupsOf, whichRecords } from '../../../record-data/own-query.ts';
import { recordsKey } from '../../../record-data/queries.ts';
import { statisticText } from './statistic-words.ts';

export interface ColumnStatistic {
  statistic: Statistic;
  /** undefined until it is known. */
  text: string | undefined;
}

interface Statistics {
  byField: ReadonlyMap<string, ColumnStatistic>;
  ofGroup: (header: GroupHeader, fieldId: string) => string;
}

interface Wanted {
  field: Field;
  statistic: Statistic;
}

const asked = (wanted: readonly Wanted[]): Record<string, string[]> => {
  const query: Record<string, string[]> = {};
  for (const { field, statistic } of wanted) (query[`field[${statistic}]`] ??= []).push(field.id);
  return query;
};

export const useStatistics = (tableId: string, view: View, columns: readonly Column[]): Statistics => {
  const wanted = columns.flatMap(({ field }): Wanted[] => {
    const statistic = metaOf(view, field.id).statisticFunc;
    return statistic === null || statistic === undefined ? [] : [{ field, statistic }];
  });
  const query = asked(wanted);
  const { data } = useQuery({
    // A change of the filter or the groups changes them, and views are read again when they change.
    queryKey: [...recordsKey(tableId), 'statistics', view.id, view.filter, view.group, query],
    queryFn: ({ signal }) =>
      call(getAggregation, {
        params: { tableId },
        query: { ...whichRecords(view.id), ...groupsOf(view.id), fieldKeyType: 'id', ...query },
        signal,
      }),
    enabled: wanted.length > 0,
    placeholderData: (before) => before,
  });
  const byField = new Map(
    wanted.map(({ field, statistic }) => {
      const total = data?.aggregations.find(
        (item) => item.fieldId === field.id && item.total?.aggFunc === statistic,
      )?.total;
      return [
        field.id,
        {
          statistic,
          text: total === undefined || total === null ? undefined : statisticText(field, statistic, total.value),
        },
      ];
    }),
  );
  const fields = useMemo(() => new Map(columns.map(({ field }) => [field.id, field])), [columns]);
  const ofGroup = useCallback(
    (header: GroupHeader, fieldId: string): string => {
      const field = fields.get(fieldId);
      const found = data?.aggregations.find((item) => item.fieldId === fieldId)?.group?.[header.id];
      return field === undefined || found === undefined ? '' : statisticText(field, found.aggFunc, found.value);
    },
    [data, fields],
  );
  return { byField, ofGroup };
};
