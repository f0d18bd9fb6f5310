// Idempotency-Key: the same key and body answer the first answer again. The key is written in the transaction
// of the records, so it exists exactly when they do; a second request with the key waits for the first.
import { createHash } from 'node:crypto';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { conflict, invalid } from '@rowhouse/contract/error.ts';
import type { createRecords as endpoint } from '@rowhouse/contract/record.ts';
import type { Context } from '../../context.ts';
import { type Answered, createRecords } from './create-records.ts';
import { claimKey, dropOldKeys, saveAnswer, selectAnswer } from './idempotency.sql.ts';

const maxKey = 255;

export const createOnce = async (context: Context, body: BodyOf<typeof endpoint>, key: string | undefined): Promise<Answered> => {
  if (key === undefined) return createRecords(context, body);
  if (key === '' || key.length > maxKey) throw invalid({ path: 'headers.Idempotency-Key', message: `Expected 1 to ${maxKey} characters` });
  const { principal, access } = context;
  const claim = {
    owner: principal.tokenId ?? principal.userId,
    key,
    // The same key on another table is another request.
    hash: createHash('sha256').update(`${access.tableId}\n${JSON.stringify(body)}`).digest(),
  };
  const answer = await context.db.transaction(async (tx) => {
    if (!(await claimKey(tx, claim))) return undefined;
    const { operationId, text } = await createRecords(context, body, tx);
    const created = { operationId, text: [...text].join('') };
    await saveAnswer(tx, claim, created);
    return created;
  });
  if (answer !== undefined) {
    void dropOldKeys(context.db).catch(() => undefined);
    return { operationId: answer.operationId, text: [answer.text] };
  }
  const first = await selectAnswer(context.db, claim);
  if (first === undefined) return createOnce(context, body, key);
  if (!first.sameBody) throw conflict('This Idempotency-Key was used with another request');
  return { operationId: first.operationId, text: [first.text] };
};
