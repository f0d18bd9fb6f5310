// Idempotency-Key: a write happens once per key, however often the request is sent. The key is written in the transaction of the
// records, so it exists exactly when the records do; a second request with the key waits for the first.
import { createHash } from 'node:crypto';
import { conflict, invalid } from '@rowhouse/contract/error.ts';
import { eyesOf } from '../../../catalog/principal.ts';
import { eyesKey, type Sight } from '../../../catalog/sight.ts';
import type { Context, Unconfirmed } from '../../../context.ts';
import { guardOf, selectFacts } from '../../../pipeline/guard.sql.ts';
import { guardedWrite, type Steps, Unwritten } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { type Claim, claimKey, type FirstAnswer, saveAnswer, selectAnswer } from './idempotency.sql.ts';

const maxKey = 255;

interface OnceSteps<Planned, Written, Answered>
  extends Pick<Steps<Planned, Written, Answered>, 'plan' | 'opening' | 'write' | 'refuse' | 'answer'> {
  /** What is kept with the key, in the transaction. */
  kept(context: Context, planned: Planned, written: Written): Promise<{ operationId: string; text: string | null }>;
  /** The answer to a request whose key was used before. */
  again(context: Context, sight: Sight, first: FirstAnswer): Promise<Answered> | Answered;
}

/** The key was used before: whatever became of the schema since, nothing is written. */
interface Replay {
  sight: Sight;
  first: FirstAnswer;
}

type Step<Planned> = { planned: Planned; sight: Sight } | Replay;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const claimOf = ({ principal, access }: Context, body: unknown, key: string): Claim => {
  if (key === '' || key.length > maxKey)
    throw invalid({ path: 'headers.Idempotency-Key', message: `Expected 1 to ${maxKey} characters` });
  const seen = `${eyesKey(eyesOf(principal))}${access.rights.bound === undefined ? '' : `\n${access.rights.bound.key}`}`;
  return {
    owner: principal.tokenId ?? principal.userId,
    key,
    baseId: access.baseId as string,
    // The same key on another table is another request.
    request: digestOf(`${access.tableId}\n${JSON.stringify(body)}`),
    // The first answer was made for what the caller saw then.
    sight: seen === '' ? Buffer.alloc(0) : digestOf(seen),
  };
};

const demandSame = (first: FirstAnswer): FirstAnswer => {
  if (!first.sameBody) throw conflict('This Idempotency-Key was used with another request');
  return first;
};

/** Writes nothing: the rights to have the answer are all that has to be confirmed. */
const confirm = async (context: Context, { table }: Sight): Promise<'taken' | Unwritten> => {
  const guard = guardOf(context, table);
  return (await selectFacts(context.db, table, guard)).epoch === guard.epoch ? 'taken' : new Unwritten(guard);
};

/** `body` says what the request is: with another one the same key is refused. */
export const once = async <Planned, Written, Answered>(
  request: Unconfirmed,
  body: unknown,
  key: string,
  steps: OnceSteps<Planned, Written, Answered>,
): Promise<Answered> => {
  // By what is confirmed: a remembered decision may show more than the token may see by now.
  const claimed = (context: Context): Claim => claimOf(context, body, key);
  const again = (context: Context, sight: Sight, first: FirstAnswer): Promise<Answered> | Answered => {
    context.noteReplay?.();
    return steps.again(context, sight, first);
  };
  const result = await guardedWrite<Step<Planned>, { written: Written } | 'taken', { answer: Answered } | undefined>(
    request,
    {
      async plan(context, sight) {
        const first = await selectAnswer(context.db, claimed(context));
        return first === undefined
          ? { planned: await steps.plan(context, sight), sight }
          : { sight, first: demandSame(first) };
      },
      needsTransaction: (step) => !('first' in step),
      opening: (step) => ('first' in step ? undefined : steps.opening?.(step.planned)),
      async write(context, step) {
        if ('first' in step) return confirm(context, step.sight);
        if (!(await claimKey(context.db, claimed(context)))) return 'taken';
        const written = await steps.write(context, step.planned);
        if (written instanceof Unwritten) return written;
        await saveAnswer(context.db, claimed(context), await steps.kept(context, step.planned, written));
        return { written };
      },
      refuse: async (context, step) => ('first' in step ? new Stale('access') : steps.refuse(context, step.planned)),
      async answer(context, step, written) {
        if ('first' in step) return { answer: await again(context, step.sight, step.first) };
        if (written !== 'taken') return { answer: await steps.answer(context, step.planned, written.written) };
        // Claimed by a request that was under way at the same time; it is committed, or the claim would have been ours.
        const first = await selectAnswer(context.db, claimed(context));
        return first === undefined ? undefined : { answer: await again(context, step.sight, demandSame(first)) };
      },
    },
  );
  // The first answer expired in this moment.
  return result === undefined ? once(request, body, key, steps) : result.answer;
};
