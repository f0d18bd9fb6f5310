// Idempotency-Key: the same key and body answer the first answer again. The key and the answer are written in the
// transaction of the records, so they exist exactly when the records do; a second request with the key waits for the first.
import { createHash } from 'node:crypto';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { conflict, invalid } from '@rowhouse/contract/error.ts';
import type { createRecords as endpoint } from '@rowhouse/contract/record.ts';
import type { Sight } from '../../../catalog/sight.ts';
import type { Context, Unconfirmed } from '../../../context.ts';
import { guardOf, selectFacts } from '../../../pipeline/guard.sql.ts';
import { guardedWrite, Unwritten } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { announceCreate, type Answered, answerWithin, createNone, createRecords, inputOf, planCreate, type PlannedCreate, writeCreate } from './create-records.ts';
import { type Claim, claimKey, type FirstAnswer, saveAnswer, selectAnswer } from './idempotency.sql.ts';
import { refuseTooMany } from './write.ts';

const maxKey = 255;

/** The key was used before: whatever became of the schema since, the answer is the first one. */
interface Replay {
  sight: Sight;
  first: FirstAnswer;
}

type Planned = PlannedCreate | Replay;

type Written = { answer: Answered } | 'taken';

const claimOf = ({ principal, access }: Context, body: BodyOf<typeof endpoint>, key: string): Claim => ({
  owner: principal.tokenId ?? principal.userId,
  key,
  baseId: access.baseId as string,
  // The same key on another table is another request.
  hash: createHash('sha256').update(`${access.tableId}\n${JSON.stringify(body)}`).digest(),
});

const again = ({ sameBody, operationId, text }: FirstAnswer): Answered => {
  if (!sameBody) throw conflict('This Idempotency-Key was used with another request');
  return { operationId, text: [text] };
};

/** Writes nothing: the rights to have the answer are all that has to be confirmed. */
const confirm = async (context: Context, { sight: { table } }: Replay): Promise<Written | Unwritten> => {
  const guard = guardOf(context, table);
  return (await selectFacts(context.db, table, guard)).epoch === guard.epoch ? 'taken' : new Unwritten(guard);
};

const create = async (context: Context, claim: Claim, planned: PlannedCreate): Promise<Written | Unwritten> => {
  if (!(await claimKey(context.db, claim))) return 'taken';
  const written = await writeCreate(context, planned);
  if (written instanceof Unwritten) return written;
  const { operationId, text } = await answerWithin(context, planned, written);
  const whole = [...text].join('');
  await saveAnswer(context.db, claim, { operationId, text: whole });
  return { answer: { operationId, text: [whole] } };
};

export const createOnce = async (request: Unconfirmed, body: BodyOf<typeof endpoint>, key: string | undefined): Promise<Answered> => {
  if (key === undefined) return createRecords(request, body);
  if (key === '' || key.length > maxKey) throw invalid({ path: 'headers.Idempotency-Key', message: `Expected 1 to ${maxKey} characters` });
  refuseTooMany(body.records.length, request.unconfirmed.config.recordsPerRequest);
  if (body.records.length === 0) return createNone(request, body.order);
  const claim = claimOf(request.unconfirmed, body, key);
  const answer = await guardedWrite<Planned, Written, Answered | undefined>(request, {
    async plan(context, sight) {
      const first = await selectAnswer(context.db, claim);
      return first === undefined ? planCreate(context, sight, inputOf(body)) : { sight, first };
    },
    needsTransaction: (planned) => !('first' in planned),
    write: (context, planned) => ('first' in planned ? confirm(context, planned) : create(context, claim, planned)),
    refuse: async () => new Stale('access'),
    async answer(context, planned, written) {
      if ('first' in planned) return again(planned.first);
      if (written !== 'taken') {
        announceCreate(context, planned);
        return written.answer;
      }
      // Claimed by a request that was under way at the same time; it is committed, or the claim would have been ours.
      const first = await selectAnswer(context.db, claim);
      return first === undefined ? undefined : again(first);
    },
  });
  // The first answer expired in this moment.
  return answer ?? createOnce(request, body, key);
};
