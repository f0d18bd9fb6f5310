// The records that a list on a dashboard shows.
import type { ChartDataOf } from '@rowhouse/contract/chart-data.ts';
import { mostGroups } from '@rowhouse/contract/chart.ts';
import { readIn } from '../../catalog/sight.ts';
import { fieldVo } from '../field/field-vo.ts';
import { columnsOf } from '../query/resolve-query.ts';
import { numberKey, sortKey } from '../query/sort-key.sql.ts';
import type { Asking } from './asking.ts';
import { selectListed } from './listed-records.sql.ts';

const row = 'r';

/** As text of the records: PostgreSQL has made their JSON. */
export const listedRecords = async ({
  db,
  sight,
  chart,
  resolved,
  where,
  counted,
}: Asking): Promise<ChartDataOf<'records'>> => {
  if (chart.type !== 'records') throw new Error('it is no list of records');
  const { view, fields } = resolved;
  const shown =
    chart.fieldIds === undefined
      ? columnsOf(view, readIn(sight, view)).slice(0, 50)
      : chart.fieldIds.flatMap((_id, at) => fields.get(`fieldIds[${at}]`) ?? []);
  const items = chart.sort ?? (view?.sort?.manualSort === true ? [] : (view?.sort?.sortObjs ?? []));
  const sorted = items.flatMap(({ fieldId, order }) => {
    const field = sight.byId.get(fieldId);
    return field === undefined ? [] : [sortKey(field, order, row)];
  });
  const take = Math.min(chart.take ?? 50, mostGroups.records);
  const { records, total } = await selectListed(
    db,
    sight,
    { fields: shown, keyType: 'id', format: 'json' },
    where,
    [...sorted, numberKey(row)],
    take,
  );
  return {
    kind: 'records',
    ...counted,
    total,
    isCut: total > records.length,
    fields: shown.map(fieldVo),
    records,
  };
};
