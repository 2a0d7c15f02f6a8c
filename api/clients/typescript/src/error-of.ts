import {
  type ApiErrorEnvelope,
  ServiceAuthError,
  ServiceError,
  ServiceForbiddenError,
  ServiceNotFoundError,
  ServicePreconditionError,
  ServiceRateLimitError,
  ServiceServerError,
  ServiceValidationError,
} from './errors.ts';

const BY_STATUS: Readonly<Record<number, typeof ServiceError>> = {
  400: ServiceValidationError,
  401: ServiceAuthError,
  403: ServiceForbiddenError,
  404: ServiceNotFoundError,
  412: ServicePreconditionError,
  429: ServiceRateLimitError,
};

/** Returns the error for a response that is not 2xx, from its body. */
export function errorOf({ status, headers }: Response, body: string): ServiceError {
  const envelope = envelopeIn(body);
  const requestId = envelope?.requestId ?? headers.get('x-request-id') ?? undefined;
  const retryAfter = headers.get('retry-after') ?? '';
  // Under /api/v1, a 400 that names the header replaces 412.
  const overtaken = status === 400 && envelope?.issues.some(({ field }) => field === 'if-match');
  const Kind = status >= 500 ? ServiceServerError : (BY_STATUS[overtaken ? 412 : status] ?? ServiceError);
  return new Kind(messageOf(status, envelope, requestId), {
    status,
    requestId,
    envelope,
    retryAfter: /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
  });
}

function envelopeIn(body: string): ApiErrorEnvelope | undefined {
  // A proxy can respond with a body that is not an envelope.
  try {
    const found = JSON.parse(body) as Partial<ApiErrorEnvelope> | null;
    return Array.isArray(found?.issues) && typeof found.requestId === 'string'
      ? (found as ApiErrorEnvelope)
      : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(status: number, envelope: ApiErrorEnvelope | undefined, requestId: string | undefined): string {
  const said = (envelope?.issues ?? [])
    .map(({ field, message }) => (field === '<root>' ? message : `${field}: ${message}`))
    .join('; ');
  return `${status} ${said || 'without an explanation'}${requestId === undefined ? '' : ` (request ${requestId})`}`;
}
