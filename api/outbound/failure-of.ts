import { OutboundFailure } from './port.ts';
import { tlsFailureOf } from './tls-failure.ts';

/** Converts an error of undici, of a resolver or of a stream to a failure for the caller. */
export function failureOf(error: unknown, timeout: AbortSignal, given: AbortSignal): OutboundFailure {
  if (given.aborted && !timeout.aborted)
    return new OutboundFailure('aborted', 'the request was aborted', { cause: error });
  if (error instanceof OutboundFailure) return error;
  if (timeout.aborted) return new OutboundFailure('timeout', 'the request timed out', { cause: error });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new OutboundFailure('too_large', 'the response headers are too large', { cause: error });
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return new OutboundFailure('timeout', 'the request timed out', { cause: error });
  const ofTls = tlsFailureOf(error);
  if (ofTls !== undefined) return ofTls;
  return new OutboundFailure('broken_response', 'the response is incomplete or not HTTP', { cause: error });
}
