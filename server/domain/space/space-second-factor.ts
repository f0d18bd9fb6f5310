import { conflict } from '@rowhouse/contract/error.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { type FactorDemand, holdSecondFactor, selectFactorDemand, updateFactorDemand } from './space.sql.ts';

export const getSpaceSecondFactor = ({ db }: Context, spaceId: string): Promise<FactorDemand> =>
  selectFactorDemand(db, spaceId);

export const setSpaceSecondFactor = (context: Context, spaceId: string, isDemanded: boolean): Promise<FactorDemand> =>
  context.db.transaction(async (tx) => {
    if (isDemanded && !(await holdSecondFactor(tx, context.principal.userId)))
      throw conflict('Set up a second factor for your own account first: without one you would shut yourself out');
    if (await updateFactorDemand(tx, spaceId, isDemanded)) {
      await writeAudit(
        tx,
        doerOf(context),
        isDemanded ? 'space.secondFactorDemanded' : 'space.secondFactorNotDemanded',
        { spaceIds: [spaceId] },
        { spaceId },
      );
      await bumpEpochs(tx, [spaceId]);
    }
    return selectFactorDemand(tx, spaceId);
  });
