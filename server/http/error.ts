// Every error leaves through here: a known one as itself, anything else as a 500 whose cause is only logged.
import { ApiError, codeOfStatus, type ErrorBody, type ErrorCode } from '@rowhouse/contract/error.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { operationOf } from './access-log.ts';
import { linger } from './linger.ts';

const fromFastify: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'payload_too_large',
    message: 'The request body is larger than this server accepts',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', message: 'Send the body as application/json' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'validation_error',
    message: 'Validation error: Content-Length does not match the body',
  },
};

/** JSON of thousands of levels arrives whole, but nothing that goes down it comes back. */
const isTooDeep = (error: unknown): boolean =>
  error instanceof RangeError && error.message === 'Maximum call stack size exceeded';

const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  const fault = error as Partial<FastifyError>;
  const known = typeof fault.code === 'string' ? fromFastify[fault.code] : undefined;
  if (known !== undefined) return new ApiError(known.code, known.message);
  if (isTooDeep(error)) return new ApiError('validation_error', 'Validation error: the request is nested too deeply');
  const status = fault.statusCode;
  if (status !== undefined && status >= 400 && status < 500) {
    return new ApiError(codeOfStatus(status), fault.message ?? 'The request is malformed');
  }
  return new ApiError(
    'internal_server_error',
    'Something went wrong on the server; its log holds the cause under this request id',
  );
};

export const errorBody = (error: ApiError, requestId: string): ErrorBody => ({
  message: error.message,
  status: error.status,
  code: error.code,
  ...(error.data === undefined ? {} : { data: error.data }),
  requestId,
});

export const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const known = toApiError(error);
  // That there is too much to do is told by a figure of its own: a line for each would be more to do.
  if (known.status >= 500 && known.code !== 'service_unavailable') {
    request.log.error({ err: error }, known.message);
    request.server.recent.noteError(operationOf(request), error, request.id);
  }
  if (known.code === 'payload_too_large' || request.isCutShort) {
    reply.header('connection', 'close');
    linger(request.raw);
  }
  void reply
    .code(known.status)
    // What passes says when to try again: clients tell it by that.
    .headers(known.passes === 'yes' ? { 'retry-after': '1', ...known.headers } : known.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(known, request.id)));
};
