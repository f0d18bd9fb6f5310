import type { getPress as endpoint, Press } from '@rowhouse/contract/button.ts';
import type { ParamsOf } from '@rowhouse/contract/endpoint.ts';
import { notFound } from '@rowhouse/contract/error.ts';
import { can } from '../../catalog/access.ts';
import type { Context } from '../../context.ts';
import { selectPress } from './press.sql.ts';

/** The reason of a failure may name cells of other tables: it is for those who may read runs. */
export const getPress = async (context: Context, { recordId, runId }: ParamsOf<typeof endpoint>): Promise<Press> => {
  const { access, db, principal } = context;
  const found = await selectPress(db, { runId, recordId, baseId: access.baseId as string, userId: principal.userId });
  if (found === undefined) throw notFound('Run', runId);
  const mayKnow = can(access, 'automation|update');
  return { state: found.state, ...(found.error === null || !mayKnow ? {} : { error: found.error }) };
};
