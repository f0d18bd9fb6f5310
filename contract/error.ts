// Every error the API can answer: one table of codes and statuses, one error class.
// docs/errors.md is kept equal to this table by a test.

/**
 * Whether the same work succeeds later without anybody changing anything. `yes`: wait and try again for as long as it takes. `perhaps`: try again a few
 * times. `no`: trying again is of no use, and the reason is told at once. Everything that runs steps (jobs, imports, copies, streams) asks this.
 */
export type Passes = 'yes' | 'perhaps' | 'no';

export const errorTable = {
  validation_error: { status: 400, passes: 'no', meaning: 'The request is malformed, or a value does not fit.' },
  invalid_credentials: { status: 400, passes: 'no', meaning: 'E-mail address and password do not match.' },
  unauthorized: { status: 401, passes: 'no', meaning: 'The credential is missing, unknown, expired or malformed.' },
  unauthorized_share: { status: 401, passes: 'no', meaning: 'The share wants its password first.' },
  payment_required: { status: 402, passes: 'no', meaning: 'The plan of the space does not allow it.' },
  restricted_resource: { status: 403, passes: 'no', meaning: 'The role or the token does not allow this action.' },
  not_found: { status: 404, passes: 'no', meaning: 'It does not exist, or the caller may not know that it does.' },
  method_not_allowed: { status: 405, passes: 'no', meaning: 'The path exists, but not with this method.' },
  request_timeout: { status: 408, passes: 'perhaps', meaning: 'The request did not arrive or finish in time.' },
  conflict: { status: 409, passes: 'no', meaning: 'It contradicts the present state.' },
  precondition_failed: { status: 412, passes: 'no', meaning: 'The record has changed since the version in If-Match.' },
  payload_too_large: { status: 413, passes: 'no', meaning: 'The body is larger than the server accepts.' },
  unsupported_media_type: {
    status: 415,
    passes: 'no',
    meaning: 'The body is not of a content type or content encoding that is understood here.',
  },
  unprocessable_entity: { status: 422, passes: 'no', meaning: 'Understood, but it cannot be carried out.' },
  too_many_requests: { status: 429, passes: 'yes', meaning: 'Too many requests; Retry-After says how long to wait.' },
  user_limit_exceeded: { status: 460, passes: 'no', meaning: 'The plan has no seat left.' },
  internal_server_error: { status: 500, passes: 'perhaps', meaning: 'A fault of the server. The log holds its cause.' },
  database_connection_unavailable: {
    status: 503,
    passes: 'yes',
    meaning: 'The database cannot be reached at the moment.',
  },
  service_unavailable: { status: 503, passes: 'yes', meaning: 'The server is stopping or overloaded; try again.' },
} as const satisfies Record<string, { status: number; passes: Passes; meaning: string }>;

export type ErrorCode = keyof typeof errorTable;

/** The code of an answer of which nothing but its status is known: of a proxy, or of another service. */
export const codeOfStatus = (status: number): ErrorCode => {
  const known = (Object.keys(errorTable) as ErrorCode[]).find((code) => errorTable[code].status === status);
  if (known !== undefined) return known;
  if (status === 502 || status === 504) return 'service_unavailable';
  return status >= 500 ? 'internal_server_error' : 'validation_error';
};

/** One offending place in a request. `path` is written as a program would: `records[3].fields.Name`. */
export interface Issue {
  path: string;
  message: string;
  expected?: string;
  /** In a text such as a formula: which characters are meant, from 0 on. */
  start?: number;
  end?: number;
  /** The name that was probably meant. */
  nearest?: string;
}

export interface ErrorBody {
  message: string;
  status: number;
  code: ErrorCode;
  data?: unknown;
  requestId?: string;
}

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly data: unknown;
  readonly headers: Record<string, string>;
  readonly passes: Passes;

  /** `passes`: for what differs from the other errors of its code, such as a conflict with a lock. */
  constructor(
    code: ErrorCode,
    message: string,
    data?: unknown,
    headers: Record<string, string> = {},
    passes: Passes = errorTable[code].passes,
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.data = data;
    this.headers = headers;
    this.passes = passes;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

export const notFound = (what: string, id?: string): ApiError =>
  new ApiError('not_found', id === undefined ? `${what} not found` : `${what} ${id} not found`);

export const forbidden = (message: string): ApiError => new ApiError('restricted_resource', message);

export const conflict = (message: string, data?: unknown): ApiError => new ApiError('conflict', message, data);

export const unauthorized = (): ApiError => new ApiError('unauthorized', 'Unauthorized');

/** A 400 that names every offending place. */
export const invalid = (issues: Issue | Issue[]): ApiError => {
  const list = Array.isArray(issues) ? issues : [issues];
  const shown = list
    .slice(0, 5)
    .map((issue) => (issue.path === '' ? issue.message : `${issue.message} at "${issue.path}"`));
  const rest = list.length > 5 ? `; and ${list.length - 5} more` : '';
  return new ApiError('validation_error', `Validation error: ${shown.join('; ')}${rest}`, {
    issues: list.slice(0, 100),
    total: list.length,
  });
};
