// Small creates that go together: see together.ts.
import type { FieldKeyType } from '@rowhouse/contract/record.ts';
import { ask } from '../../../db/ask.ts';
import type { Db } from '../../../db/db.ts';
import type { Stored } from '../../cell/type.ts';
import type { Column } from './cells.ts';
import type { Guard } from '../../../pipeline/guard.sql.ts';
import { type CreateOperation, type Inserted, insertAsk, type NewRows } from './insert.sql.ts';
import { createLanes, sharedKey } from './together.ts';

interface Create {
  guard: Guard;
  rows: NewRows & { order: null };
  keyType: FieldKeyType;
  operation: CreateOperation;
}

/** Larger requests gain nothing from company. */
const small = 50;
const mostRows = 500;

const merged = (creates: readonly [Create, ...Create[]]): NewRows => {
  const ids = creates.flatMap(({ rows }) => rows.ids);
  const columns = new Map<string, Column>();
  let first = 0;
  for (const { rows } of creates) {
    for (const { field, type, values } of rows.columns) {
      const column = columns.get(field.id) ?? { field, type, values: new Array<Stored>(ids.length).fill(null) };
      columns.set(field.id, column);
      for (let at = 0; at < values.length; at += 1) column.values[first + at] = values[at] as Stored;
    }
    first += rows.ids.length;
  }
  return { sight: creates[0].rows.sight, ids, columns: [...columns.values()], order: null };
};

const part = ({ createdTime, autoNumbers, names, computed }: Inserted, first: number, count: number): Inserted => ({
  createdTime,
  autoNumbers: autoNumbers.slice(first, first + count),
  names: names?.slice(first, first + count) ?? null,
  computed: computed === null ? null : (index, pieces) => computed(first + index, pieces),
});

const join = createLanes<Create, Inserted | undefined>({
  alone: (db, { guard, rows, keyType, operation }) => ask(db, insertAsk(guard, rows, keyType, [operation])),
  // No room, or old facts: both are seen to by each on its own, without another look here.
  async together(db, creates) {
    const { guard, keyType } = creates[0];
    const operations = creates.map(({ operation }) => operation);
    const inserted = await ask(db, insertAsk(guard, merged(creates), keyType, operations));
    let end = 0;
    return creates.map(({ rows: { ids } }) => {
      end += ids.length;
      return inserted === undefined ? undefined : part(inserted, end - ids.length, ids.length);
    });
  },
  takeNext(waiting) {
    let end = 0;
    for (let rows = 0; end < waiting.length; end += 1) {
      rows += (waiting[end] as { request: Create }).request.rows.ids.length;
      if (rows > mostRows) break;
    }
    return waiting.splice(0, end);
  },
});

/** As `insertAsk` for one request. Those who see only a part are answered on their own. */
export const insertTogether = (db: Db, create: Create): Promise<Inserted | undefined> => {
  const { guard, rows, keyType, operation } = create;
  if (rows.ids.length > small || !rows.sight.isWhole || rows.permits != null)
    return ask(db, insertAsk(guard, rows, keyType, [operation]));
  return join(db, sharedKey(guard, keyType, operation), create);
};
