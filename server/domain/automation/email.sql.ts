// The one writer of which receivers have got the e-mail of a step.
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

interface OfStep {
  seq: number;
  path: string;
}

export const selectReached = async (db: Queryable, { seq, path }: OfStep): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await many<{ address: string }>(
        db,
        sql`select address from rowhouse.automation_emails where run = ${seq} and path = ${path}`,
      )
    ).map(({ address }) => address),
  );

export const noteReached = async (db: Queryable, { seq, path }: OfStep, address: string): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.automation_emails (run, path, address) select seq, ${path}, ${address} from rowhouse.automation_runs where seq = ${seq}
        on conflict do nothing`,
  );
};
