// PATCH /table/:tableId/record, once per Idempotency-Key: a change that is sent again is written once. No answer is kept with the key, since every edit of the app
// has one: a second request is answered with the records as they are by then. See docs/adr/0085-edits-carry-what-they-were-made-on.md.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { updateRecords as endpoint } from '@rowhouse/contract/record.ts';
import type { Context, Unconfirmed } from '../../../context.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { permissionsJson } from '../read/json.sql.ts';
import { selectRecords } from '../read/read.sql.ts';
import { once } from './once.ts';
import {
  changeNone,
  changeRecords,
  type PlannedUpdate,
  updateSteps,
  type Updated,
  type UpdateRequest,
} from './update-records.ts';
import type { UpdatedRow } from './update.sql.ts';
import { refuseTooMany } from './write.ts';

/** Records that were deleted since are left out. */
const asTheyAre = async (
  context: Context,
  sight: Sight,
  { rows, keyType }: UpdateRequest,
  operationId: string,
): Promise<Updated> => {
  const ids = rows.map(({ id }) => id);
  const found = await selectRecords(context.db, sight, ids, { fields: sight.fields, keyType, format: 'json' });
  const byId = new Map(found.map((row) => [row.id, row]));
  const sorted = ids.flatMap((id) => byId.get(id) ?? []);
  const tail = permissionsJson(sight, context.access, keyType);
  return {
    operationId,
    records: sorted.map(({ json }) => json + tail),
    versions: sight.rule.hidesFacts === true ? [] : sorted.map(({ version }) => version),
    report: undefined,
  };
};

export const changeOnce = async (
  request: Unconfirmed,
  changes: UpdateRequest,
  key: string | undefined,
): Promise<Updated> => {
  if (key === undefined) return changeRecords(request, changes);
  return once<PlannedUpdate, UpdatedRow[], Updated>(request, changes, key, {
    ...updateSteps(changes),
    kept: async (_context, { operation }) => ({ operationId: operation.publicId, text: null }),
    again: (context, sight, { operationId }) => asTheyAre(context, sight, changes, operationId),
  });
};

export const updateOnce = (
  request: Unconfirmed,
  body: BodyOf<typeof endpoint>,
  key: string | undefined,
): Promise<Updated> => {
  refuseTooMany(body.records.length, request.unconfirmed.config.recordsPerRequest);
  if (body.records.length === 0) return changeNone(request, body.order);
  return changeOnce(
    request,
    { rows: body.records, keyType: body.fieldKeyType ?? 'name', typecast: body.typecast ?? false, order: body.order },
    key,
  );
};
