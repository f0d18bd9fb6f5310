// A request that makes records whose cells the server puts together: a copy of a record, a record of a template.
import type { Context, Unconfirmed } from '../../../context.ts';
import type { Sight } from '../../../catalog/sight.ts';
import { guardedWrite } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import {
  announceCreate,
  createdRecords,
  createNeedsTransaction,
  type PlannedCreate,
  writeCreate,
  type WrittenCreate,
} from './create-records.ts';

interface CreatedText {
  operationId: string;
  text: string;
}

export const createPlanned = (
  request: Unconfirmed,
  plan: (context: Context, sight: Sight) => Promise<PlannedCreate>,
): Promise<CreatedText> =>
  guardedWrite<PlannedCreate, WrittenCreate, CreatedText>(request, {
    plan,
    needsTransaction: createNeedsTransaction,
    write: writeCreate,
    refuse: async () => new Stale('access'),
    answer(context, planned, written) {
      announceCreate(context, planned);
      return {
        operationId: planned.operation.publicId,
        text: `{"records":[${[...createdRecords(context, planned, written)].join('')}]}`,
      };
    },
  });
