// What was slow and what failed a short while ago in this process, without texts, values and parameters: for the log, `/metrics` and `rowhouse doctor --bundle`.
import { codeOfError } from './trace.ts';

/** On whose behalf a statement runs. */
export interface Purpose {
  /** The endpoint by its name, or `job <kind>`. */
  operation: string;
  requestId?: string | undefined;
}

interface SlowStatement extends Purpose {
  time: string;
  milliseconds: number;
  /** The first word of it. */
  verb: string;
  /** Equal for equal texts. */
  fingerprint: string;
  base?: string;
  failed?: true;
}

interface RecentError {
  time: string;
  /** An endpoint, or the kind of work. */
  operation: string;
  code: string;
  requestId?: string | undefined;
  /** Where it was thrown: functions and lines of the program. */
  at: string[];
}

export interface Recent {
  noteSlow(slow: Omit<SlowStatement, 'time'>): void;
  noteError(operation: string, error: unknown, requestId?: string): void;
  /** How many statements of an operation were slow since the start. */
  slowCounts(): ReadonlyMap<string, number>;
  slowStatements(): readonly SlowStatement[];
  errors(): readonly RecentError[];
  /** Where slow statements are told from now on; nowhere at first. */
  logTo(log: (slow: SlowStatement) => void): void;
}

const most = 100;

/** The name of a function and its place. The lines before them are the text of the error. */
const framesOf = (error: unknown): string[] =>
  ((error as Error | undefined)?.stack ?? '')
    .split('\n')
    .flatMap(
      (line) =>
        /^ {4}at (?:async )?((?:[\w.<>[\] ]{1,80} )?\(?)(?:.*[\\/])?([\w.-]+:\d+:\d+)\)?$/.exec(line)?.slice(1) ?? [],
    )
    .reduce<string[]>(
      (lines, part, at) =>
        at % 2 === 0 ? [...lines, part] : [...lines.slice(0, -1), `${lines.at(-1) as string}${part}`],
      [],
    )
    .slice(0, 8);

export const createRecent = (now: () => Date = () => new Date()): Recent => {
  const slow: SlowStatement[] = [];
  const errors: RecentError[] = [];
  const counts = new Map<string, number>();
  let log: (slow: SlowStatement) => void = () => undefined;
  const push = <T>(list: T[], item: T): void => {
    list.push(item);
    if (list.length > most) list.shift();
  };
  return {
    noteSlow(given) {
      const one = { time: now().toISOString(), ...given };
      counts.set(one.operation, (counts.get(one.operation) ?? 0) + 1);
      push(slow, one);
      log(one);
    },
    noteError(operation, error, requestId) {
      push(errors, {
        time: now().toISOString(),
        operation,
        code: codeOfError(error),
        ...(requestId === undefined ? {} : { requestId }),
        at: framesOf(error),
      });
    },
    slowCounts: () => counts,
    slowStatements: () => slow,
    errors: () => errors,
    logTo(given) {
      log = given;
    },
  };
};
