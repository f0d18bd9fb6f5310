// A statement as data: what is sent, and how its rows are read.
import type { QueryOptions, Queryable } from './db.ts';
import type { Sql, Statement } from './sql.ts';

export interface Ask<Answer> {
  readonly statement: Sql | Statement;
  readonly options?: QueryOptions;
  /** The rows are those of the statement. */
  readonly read: (rows: never[]) => Answer;
}

export const ask = async <Answer>(db: Queryable, { statement, options, read }: Ask<Answer>): Promise<Answer> =>
  read((await db.query(statement, options)) as never[]);
