import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ApiErrorCode } from '#schemas/api/error-envelope.ts';
import { apiError, envelopeOf } from './api-error.ts';
import { SECURITY_HEADERS } from './plugins/security-headers.ts';

type Reason = readonly [status: string, code: ApiErrorCode, message: string];

const REASONS: Readonly<Record<string, Reason>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'the request did not arrive in time'],
};
const NO_HTTP: Reason = ['400 Bad Request', 'invalid_value', 'the request is not valid HTTP'];

/** Responds to bytes that are not valid HTTP with the error envelope. Fastify creates no request for them. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, message] = REASONS[error.code ?? ''] ?? NO_HTTP;
  const requestId = randomUUID();
  const body = JSON.stringify(envelopeOf(apiError(code, message), requestId));
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
