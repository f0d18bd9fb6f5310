// PATCH /table/:tableId/record/:recordId
import type { IncomingHttpHeaders } from 'node:http';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import type { updateRecord as endpoint } from '@rowhouse/contract/record.ts';
import type { Unconfirmed } from '../../../context.ts';
import { changeOnce } from './update-once.ts';
import type { Match } from '../read/record-tag.ts';
import type { Updated } from './update-records.ts';

/** `"7"` → 7; `*` and absence demand nothing. */
const matchOf = (ifMatch: string | undefined): Match | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const [, version, mark] = /^(?:W\/)?"(?:(\d{1,9})|s([0-9a-f]{32}))"$/.exec(ifMatch.trim()) ?? [];
  if (version === undefined && mark === undefined)
    throw invalid({
      path: 'headers.If-Match',
      message: 'Expected the ETag of a record, such as "3" with its quotes',
      expected: '"<version>"',
    });
  return mark === undefined ? { version: Number(version) } : { mark };
};

export const updateRecord = async (
  request: Unconfirmed,
  recordId: string,
  body: BodyOf<typeof endpoint>,
  headers: IncomingHttpHeaders,
): Promise<Updated> =>
  changeOnce(
    request,
    {
      rows: [{ id: recordId, fields: body.record.fields, before: body.record.before }],
      keyType: body.fieldKeyType ?? 'name',
      typecast: body.typecast ?? false,
      order: body.order,
      match: matchOf(headers['if-match']),
    },
    headers['idempotency-key'] as string | undefined,
  );
