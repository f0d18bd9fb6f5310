// Maps SQLSTATEs to API errors. An error that is not in this table is a bug.
import { ApiError, type ErrorCode, type Passes } from '@rowhouse/contract/error.ts';

interface PgError extends Error {
  code?: string;
  constraint?: string;
  detail?: string;
  table?: string;
  column?: string;
}

/** The database cannot be reached at the moment. */
const unavailable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
]);

const unavailableText =
  /terminat|timeout exceeded when trying to connect|Connection ended|not queryable|connection timeout/i;

/** Messages of Citus when a node or the coordinator fails before or during the commit. They have no SQLSTATE of their own, only XX000 or 58030. */
const lostNode =
  /^(failed to COPY to shard |failure on connection marked as essential: |could not commit transaction for shard |server closed the connection unexpectedly|SSL SYSCALL error: |postmaster was shut down, exiting)/;

export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code } = error as PgError;
  if ((code === 'XX000' || code === '58030') && lostNode.test(error.message)) return true;
  if (code !== undefined) return unavailable.has(code);
  return unavailableText.test(error.message);
};

/** Errors of a Citus node during COPY arrive without their SQLSTATE. */
const withoutCode: readonly [RegExp, string][] = [
  [/^duplicate key value violates unique constraint "/, '23505'],
  [/^null value in column "/, '23502'],
  [/^deadlock detected$/, '40P01'],
  [/^could not serialize access /, '40001'],
  [/^canceling statement due to lock timeout$/, '55P03'],
];

export const sqlState = (error: unknown): string | undefined => {
  const { code, message = '' } = (error ?? {}) as Partial<PgError>;
  if (code === 'XX000') return withoutCode.find(([said]) => said.test(message))?.[1] ?? code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

/** The schema of a base, or a table in it, was deleted permanently in the meantime. */
export const isGone = (error: unknown): boolean => ['3F000', '42P01'].includes(sqlState(error) ?? '');

// 22P02: a literal in the statement, such as '' for an empty text, is parsed as the type that its column has now.
const schemaStates = new Set(['42703', '42P01', '42804', '42883', '42P18', '42846', '3F000', '22P02']);

/** A statement that was planned with an old schema may fail because columns are gone or have another type. */
export const isOfOldSchema = (error: unknown): boolean => schemaStates.has(sqlState(error) ?? '');

const named = / constraint "([^"]+)"$/;

/** On a Citus cluster the error of a node lacks the name of the constraint, and its message ends in the number of the shard. */
export const constraintOf = (error: unknown): string | undefined => {
  const { constraint, message } = (error ?? {}) as Partial<PgError>;
  return (constraint ?? named.exec(message ?? '')?.[1])?.replace(/_\d{6,}$/, '');
};

/** PostgreSQL rolled the transaction back because of a deadlock or a serialization failure: see deadlock.ts. */
export class Deadlocked extends ApiError {
  constructor() {
    super('conflict', 'Another request changed the same data at the same time; try again', undefined, {}, 'yes');
  }
}

/** A statement took longer than it was given (`within`). */
export class OutOfTime extends ApiError {
  constructor() {
    super(
      'service_unavailable',
      'Cells that this needs are still being computed; try again in 5 seconds, or ask for it without a filter, sort or group by them',
      undefined,
      { 'retry-after': '5' },
    );
  }
}

interface Told {
  code: ErrorCode;
  message: string;
  /** For `Retry-After`, in seconds. */
  retryAfter?: number;
  /** Left out: the default of its error code. */
  passes?: Passes;
  data?: unknown;
}

const noZeroByte: Told = {
  code: 'validation_error',
  message: 'Validation error: text must not contain the character U+0000',
};
/** Bytes of an answer that is made whole before it is sent: one of that size takes up to 200 MB of the process. */
export const largestAnswer = 12 * 1_048_576;
const tooLarge: Told = {
  code: 'validation_error',
  message: `Validation error: the answer would be larger than ${largestAnswer / 1_048_576} MiB; ask for fewer records at once, or for fewer fields by projection`,
  data: { answerLimit: largestAnswer },
};
const busy: Told = {
  code: 'service_unavailable',
  message: 'All connections to the database are busy; try again shortly',
  retryAfter: 1,
};
const away: Told = {
  code: 'database_connection_unavailable',
  message: 'The database cannot be reached at the moment; try again shortly',
  retryAfter: 1,
};

const states: Record<string, Told> = {
  // A zero byte, or bytes that are not UTF-8.
  '22021': noZeroByte,
  '22P05': noZeroByte,
  '55P03': {
    code: 'conflict',
    message:
      'Something that takes long, such as a backup or the conversion of a field, is using the same table; try again later',
    retryAfter: 5,
    passes: 'yes',
  },
  // rowhouse.answer_too_large
  RH002: tooLarge,
  // A text of more than a GiB.
  '54000': tooLarge,
  // Statement timeout: it may succeed when the machine is less busy.
  '53400': {
    code: 'unprocessable_entity',
    message:
      'This takes more room for temporary files than a statement may have (ROWHOUSE_TEMPORARY_MEGABYTES); ask for fewer rows at a time, or filter them',
  },
  '57014': {
    code: 'request_timeout',
    message:
      'The database took too long for this request and was stopped; ask for less at once, by a filter or a smaller page',
  },
};

const told = ({ code, message, retryAfter, passes, data }: Told): ApiError =>
  new ApiError(code, message, data, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }, passes);

export const databaseError = (error: unknown): unknown => {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  // Message of the pool when no connection became free within ten seconds.
  if (error.message === 'timeout exceeded when trying to connect') return told(busy);
  if (isUnavailable(error)) return told(away);
  const state = sqlState(error) ?? '';
  if (state === '40001' || state === '40P01') return new Deadlocked();
  const known = states[state];
  return known === undefined ? error : told(known);
};

/** Also for raw errors of PostgreSQL, from dedicated connections. A server fault counts as one that may pass. */
export const passesOf = (error: unknown): Passes => {
  const known = databaseError(error);
  return known instanceof ApiError ? known.passes : 'perhaps';
};

/** The error passes and nothing was done, so the same process may retry at once. Not after a lost connection: then the outcome is unknown. */
export const isSafeToRepeat = (error: unknown): boolean => {
  const known = databaseError(error);
  return known instanceof ApiError && known.passes === 'yes' && known.code !== 'database_connection_unavailable';
};

/** Prevents the server from starting, but is not a bug. Shown as one line that says what to do. */
export class StartError extends Error {}
