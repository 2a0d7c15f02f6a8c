import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { apiError, envelopeOf } from './api-error.ts';

const REASONS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
};

/** Answers what is not even HTTP, in the envelope of every other refusal; there is no request to hang it on. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = REASONS[error.code ?? ''] ?? ['400 Bad Request', 'the request is not valid HTTP'];
  const requestId = randomUUID();
  const body = JSON.stringify(envelopeOf(apiError('invalid_value', message), requestId));
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
