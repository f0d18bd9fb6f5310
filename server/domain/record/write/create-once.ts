// POST /table/:tableId/record with Idempotency-Key: the same key and body answer the first answer again. When its caller sees something else by then, because rules, roles or scopes
// have changed, the answer has the same records with what is seen of them now. See docs/adr/0160-answers-of-repeated-requests.md.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { createRecords as endpoint } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Context, Unconfirmed } from '../../../context.ts';
import { Unwritten } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { permissionsJson } from '../read/json.sql.ts';
import { selectRecords } from '../read/read.sql.ts';
import {
  announceCreate,
  type Answered,
  answerWithin,
  createNone,
  createRecords,
  inputOf,
  planCreate,
  type PlannedCreate,
  writeCreate,
} from './create-records.ts';
import { selectAnsweredIds } from './idempotency.sql.ts';
import { once } from './once.ts';
import { sentJson } from './sent-json.ts';
import { refuseTooMany } from './write.ts';

interface StoredAnswer {
  operationId: string;
  text: string;
}

const given = ({ operationId, text }: StoredAnswer): Answered => ({ operationId, text: [text] });

/** Of a record that is not seen, or not there, no more than the id: the caller made it. */
const asSeenNow = async (
  context: Context,
  sight: Sight,
  { fieldKeyType = 'name' }: BodyOf<typeof endpoint>,
  text: string,
): Promise<string> => {
  const ids = await selectAnsweredIds(context.db, text);
  const shape = { fields: sight.fields, keyType: fieldKeyType, format: 'json' } as const;
  const found = await selectRecords(context.db, sight, ids, shape);
  const byId = new Map(found.map(({ id, json }) => [id, json]));
  const tail = permissionsJson(sight, context.access, fieldKeyType);
  const records = ids.map((id) => {
    const json = sight.seesCells ? byId.get(id) : undefined;
    return json === undefined ? sentJson(sight, context.access, fieldKeyType, id) : json + tail;
  });
  return `{"records":[${records.join(',')}],"extra":{"groupPoints":[]}}`;
};

export const createOnce = async (
  request: Unconfirmed,
  body: BodyOf<typeof endpoint>,
  key: string | undefined,
): Promise<Answered> => {
  if (key === undefined) return createRecords(request, body);
  refuseTooMany(body.records.length, request.unconfirmed.config.recordsPerRequest);
  if (body.records.length === 0) return createNone(request, body.order);
  return once<PlannedCreate, StoredAnswer, Answered>(request, body, key, {
    plan: (context, sight) => planCreate(context, sight, inputOf(body)),
    async write(context, planned) {
      const written = await writeCreate(context, planned);
      if (written instanceof Unwritten) return written;
      const { operationId, text } = await answerWithin(context, planned, written);
      return { operationId, text: [...text].join('') };
    },
    kept: async (_context, _planned, written) => written,
    refuse: async () => new Stale('access'),
    answer(context, planned, written) {
      announceCreate(context, planned);
      return given(written);
    },
    again: async (context, sight, { operationId, text, sameSight }) =>
      given({ operationId, text: sameSight ? (text ?? '') : await asSeenNow(context, sight, body, text ?? '{}') }),
  });
};
