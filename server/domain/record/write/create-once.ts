// POST /table/:tableId/record with Idempotency-Key: the same key and body answer the first answer again.
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import type { createRecords as endpoint } from '@rowhouse/contract/record.ts';
import type { Unconfirmed } from '../../../context.ts';
import { Unwritten } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
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
import { once } from './once.ts';
import { refuseTooMany } from './write.ts';

interface StoredAnswer {
  operationId: string;
  text: string;
}

const given = ({ operationId, text }: StoredAnswer): Answered => ({ operationId, text: [text] });

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
    again: (_context, _sight, { operationId, text }) => given({ operationId, text: text ?? '' }),
  });
};
