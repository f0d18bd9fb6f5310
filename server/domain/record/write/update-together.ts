// Updates of single records that go together: see together.ts.
import type { Sight } from '../../../catalog/sight.ts';
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import { ask } from '../../../db/ask.ts';
import type { Db } from '../../../db/db.ts';
import type { Guard } from '../../../pipeline/guard.sql.ts';
import type { Stored } from '../../cell/type.ts';
import { createLanes, sharedKey } from './together.ts';
import { isFree, updateAsk, type UpdatedRow, type UpdateInput, updateOfEachAsk } from './update.sql.ts';

export interface Update {
  guard: Guard;
  sight: Sight;
  input: UpdateInput;
  operation: OperationFacts;
}

const mostRows = 100;

export const idOf = ({ input }: Pick<Update, 'input'>): string => input.ids[0] as string;

/** Of the same columns. */
export const merged = (updates: readonly [Pick<Update, 'input'>, ...Pick<Update, 'input'>[]]): UpdateInput => ({
  ...updates[0].input,
  ids: updates.map(idOf),
  columns: updates[0].input.columns.map(({ field, type }, at) => ({
    field,
    type,
    values: updates.map(({ input }) => input.columns[at]?.values[0] as Stored),
  })),
});

/** A record that comes again waits for the next statement; what comes for others does not wait for it. */
export const takeOfEach =
  (most: number) =>
  <Each extends { request: Pick<Update, 'input'> }>(waiting: Each[]): Each[] => {
    const taken = new Map<string, Each>();
    for (const each of waiting) {
      if (taken.size === most) break;
      const id = idOf(each.request);
      if (!taken.has(id)) taken.set(id, each);
    }
    waiting.splice(0, waiting.length, ...waiting.filter((each) => taken.get(idOf(each.request)) !== each));
    return [...taken.values()];
  };

const join = createLanes<Update, UpdatedRow[]>({
  alone: (db, { sight, guard, input, operation }) => ask(db, updateAsk(sight, guard, input, operation)),
  async together(db, updates) {
    const { sight, guard } = updates[0];
    const operations = updates.map(({ operation }) => operation) as [OperationFacts, ...OperationFacts[]];
    const rows = await ask(db, updateOfEachAsk(sight, guard, merged(updates), operations));
    if (rows.length !== updates.length) return undefined;
    const byId = new Map(rows.map((row) => [row.id, row]));
    return updates.map((update) => [byId.get(idOf(update)) as UpdatedRow]);
  },
  takeNext: takeOfEach(mostRows),
});

/** Those who see only a part, change several records, move one or demand a version are on their own. */
export const isAlike = ({ input, operation, sight }: Pick<Update, 'input' | 'operation' | 'sight'>): boolean =>
  input.ids.length === 1 &&
  input.version === null &&
  input.order === null &&
  operation.kind === 'update' &&
  isFree(sight, input);

export const laneOf = ({ guard, input, operation }: Pick<Update, 'guard' | 'input' | 'operation'>): string =>
  `${sharedKey(guard, input.keyType, operation)} ${input.columns.map(({ field }) => field.id).join()}`;

/** As `updateAsk`. */
export const updateTogether = (db: Db, update: Update): Promise<UpdatedRow[]> => {
  const { guard, sight, input, operation } = update;
  if (!isAlike(update)) return ask(db, updateAsk(sight, guard, input, operation));
  return join(db, laneOf(update), update);
};
