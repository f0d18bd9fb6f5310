// Refusals by rules: they name every record, and the memos of the grants whose conditions alone stand in the way.
import { ApiError, forbidden } from '@rowhouse/contract/error.ts';
import type { WriteGrant } from '../../../catalog/rights.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { sqlState } from '../../../db/error.ts';
import { keyOf } from '../read/field-key.ts';
import type { CellRequest } from './cells.ts';

const most = 1_000;

const memosOf = (grants: readonly WriteGrant[]): string[] => [...new Set(grants.flatMap(({ memo }) => memo ?? []))];

const listed = (ids: readonly string[]): string =>
  `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ` and ${ids.length - 10} more` : ''}`;

const refusal = (
  message: string,
  ids: readonly string[],
  grants: readonly WriteGrant[],
  more: Record<string, unknown> = {},
): ApiError => {
  const memos = memosOf(grants);
  return new ApiError('restricted_resource', [message, ...memos].join('. '), {
    recordIds: ids.slice(0, most),
    total: ids.length,
    ...more,
    ...(memos.length === 0 ? {} : { memos }),
  });
};

export const refusedRecords = (verb: string, ids: readonly string[], grants: readonly WriteGrant[]): ApiError =>
  refusal(`Your role does not let you ${verb} ${listed(ids)}`, ids, grants);

export const refusedCells = (
  { table }: Sight,
  { keyType }: Pick<CellRequest, 'keyType'>,
  cells: readonly { recordId: string; fieldId: string }[],
  grants: readonly WriteGrant[],
): ApiError => {
  const ids = [...new Set(cells.map(({ recordId }) => recordId))];
  const named = cells.slice(0, most).flatMap(({ recordId, fieldId }) => {
    const field = table.byId.get(fieldId);
    return field === undefined ? [] : [{ recordId, field: keyOf(field, keyType) }];
  });
  const fields = [...new Set(named.map(({ field }) => JSON.stringify(field)))].slice(0, 10);
  return refusal(`Your role does not let you change ${fields.join(', ')} of ${listed(ids)}`, ids, grants, {
    cells: named,
  });
};

/** Fields that are seen, but that no grant lets the caller fill in. */
export const refusedFields = (fields: readonly string[]): ApiError =>
  new ApiError(
    'restricted_resource',
    `Your role does not let you fill in ${fields
      .slice(0, 10)
      .map((field) => JSON.stringify(field))
      .join(', ')} of new records`,
    { fields: fields.slice(0, 100) },
  );

/** No name: the caller does not see the field. */
export const hiddenRequired = (): ApiError =>
  forbidden('A field that you do not see must not be empty in new records: your role cannot create them');

/** What `rowhouse.refuse` raises, as a refusal; other errors as they are. `isNew`: nobody knows the ids of the records yet, so their places are told. */
export const explainRefused = (
  error: unknown,
  ids: readonly string[],
  grants: readonly WriteGrant[],
  isNew = false,
): unknown => {
  if (sqlState(error) !== 'RH003') return error;
  const found = JSON.parse((error as { detail?: string }).detail ?? '[]') as string[];
  const asking = grants.filter(({ after }) => after !== true);
  if (isNew) {
    const places = found.map((id) => ids.indexOf(id)).toSorted((one, other) => one - other);
    return refusal(
      `Your role does not let you create ${places
        .slice(0, 10)
        .map((at) => `records[${at}]`)
        .join(', ')} as they would be`,
      [],
      asking,
      { total: places.length, indexes: places.slice(0, most) },
    );
  }
  return refusal(`Your role does not let you leave ${listed(found)} as they would be`, found, asking);
};
