// The one writer of the ledger of credit. The account holds the sums of its entries, and its row is what keeps those
// who use credit at the same time from using more than there is.
import { maybe, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface Credit {
  amount: number;
  usedAmount: number;
}

export interface CreditEntry {
  spaceId: string;
  kind: 'grant' | 'use';
  amount: number;
  reason: string;
  reference: string | null;
  createdBy: string | null;
}

export const selectCredit = async (db: Queryable, spaceId: string): Promise<Credit> =>
  (await maybe<Credit>(
    db,
    sql`select amount, used_amount as "usedAmount" from rowhouse.credit_accounts where space_id = ${spaceId}`,
  )) ?? { amount: 0, usedAmount: 0 };

/** False when an entry with that reference is there already. */
export const insertEntry = async (db: Queryable, entry: CreditEntry): Promise<boolean> => {
  const row = await maybe(
    db,
    sql`insert into rowhouse.credit_entries (space_id, kind, amount, reason, reference, created_by)
        values (${entry.spaceId}, ${entry.kind}, ${entry.amount}, ${entry.reason}, ${entry.reference}, ${entry.createdBy})
        on conflict (space_id, reference) do nothing returning id`,
  );
  return row !== undefined;
};

export const addCredit = async (db: Queryable, spaceId: string, amount: number): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.credit_accounts (space_id, amount) values (${spaceId}, ${amount})
        on conflict (space_id) do update set amount = credit_accounts.amount + excluded.amount`,
  );
};

/** False when there is not that much left. */
export const takeCredit = async (db: Queryable, spaceId: string, amount: number): Promise<boolean> => {
  const row = await maybe(
    db,
    sql`update rowhouse.credit_accounts set used_amount = used_amount + ${amount}
        where space_id = ${spaceId} and used_amount + ${amount} <= amount returning space_id`,
  );
  return row !== undefined;
};
