// What is no request: answered in the documented form as far as anybody listens, and the connection ends.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '@rowhouse/contract/error.ts';
import { errorBody } from './error.ts';

const errorOf = (code: string | undefined): ApiError => {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request did not arrive in time');
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(
        'validation_error',
        'Validation error: the address and the headers of the request are too long',
      );
    default:
      return new ApiError('validation_error', 'Validation error: this is not an HTTP request');
  }
};

export const answerClientError = (fault: NodeJS.ErrnoException, socket: Socket): void => {
  if (fault.code === 'ECONNRESET' || socket.destroyed) return;
  const error = errorOf(fault.code);
  const requestId = randomUUID();
  const body = Buffer.from(JSON.stringify(errorBody(error, requestId)));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  // Not in the middle of another answer.
  const isAnswering = (socket as { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent === true;
  if (socket.writable && !isAnswering) socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
  socket.destroySoon();
};
