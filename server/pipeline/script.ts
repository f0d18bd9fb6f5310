// A write as a script: a list of the statements that it sends, in order, as data. One runner sends them.
//
// - An entry has a name. Entries after it find its answer by that name.
// - An entry waits for the answers to all entries before it, unless it is `behind`: then it is sent at once. PostgreSQL runs the
//   statements of a connection one after the other in any case. An entry that is behind sees only the answers that were waited for.
// - `work` is for what is rare and takes several statements. It is never behind.
// - When an entry fails, nothing after it counts: the first failure is the failure of the script.
import type { Tx } from '../db/db.ts';
import type { Ask } from '../db/ask.ts';

/** What the entries have answered so far, by name. */
export interface Answers<Names> {
  /** Throws when the entry is not in the script, or was not waited for. */
  get<Name extends keyof Names & string>(name: Name): Names[Name];
  /** Undefined when there is no answer yet. */
  find<Name extends keyof Names & string>(name: Name): Names[Name] | undefined;
}

type EntryOf<Names, Name extends keyof Names & string> = { readonly name: Name } & (
  | {
      /** Sent without waiting for the entries before it. */
      readonly behind?: boolean;
      readonly ask: (answers: Answers<Names>) => Ask<Names[Name]>;
      /** Something to do while the database is busy; it resolves as what it is given. */
      readonly during?: ((answer: Promise<Names[Name]>) => Promise<Names[Name]>) | undefined;
    }
  | { readonly work: (answers: Answers<Names>, tx: Tx) => Promise<Names[Name]> | Names[Name] }
);

export type Entry<Names> =
  | { [Name in keyof Names & string]: EntryOf<Names, Name> }[keyof Names & string]
  /** The last entry of a script that began its transaction: the commit goes behind the statements that were sent. */
  | { readonly commit: true };

export type Script<Names> = readonly Entry<Names>[];

/** Statements can be sent before those before them have answered, where the transaction began with an opening. */
export const sendsAhead = (tx: Tx): boolean => tx.opening !== undefined;

export const runScript = async <Names>(tx: Tx, script: Script<Names>): Promise<Answers<Names>> => {
  const known = new Map<string, unknown>();
  const sent: { name: string; answer: Promise<unknown> }[] = [];
  const answers: Answers<Names> = {
    get(name) {
      if (!known.has(name)) throw new Error(`the answer of "${name}" is needed before it is there`);
      return known.get(name) as never;
    },
    find: (name) => known.get(name) as never,
  };
  /** In order, so that the first failure is the one that is told. */
  const waitForSent = async (): Promise<void> => {
    for (let next = sent.shift(); next !== undefined; next = sent.shift()) known.set(next.name, await next.answer);
  };
  for (const entry of script) {
    if ('commit' in entry) {
      tx.commitBehind?.();
      continue;
    }
    if (!('ask' in entry)) {
      await waitForSent();
      known.set(entry.name, await entry.work(answers, tx));
      continue;
    }
    if (entry.behind !== true || !sendsAhead(tx)) await waitForSent();
    const { statement, options, read } = entry.ask(answers);
    const rows = tx.query(statement, options).then((found) => read(found as never[]));
    const answer = entry.during === undefined ? rows : entry.during(rows);
    // It may fail before it is waited for.
    answer.catch(() => undefined);
    sent.push({ name: entry.name, answer });
  }
  await waitForSent();
  return answers;
};
