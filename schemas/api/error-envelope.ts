import { z } from 'zod';

/** An error code of the API. */
interface ApiErrorEntry {
  /** HTTP status of the response. */
  readonly status: number;
  /** The meaning of the code, for the documentation. */
  readonly title: string;
  /** True if the same request can succeed later. */
  readonly retriable: boolean;
  /** What the caller can do. Part of the response. */
  readonly hint: string | undefined;
}

/** The catalogue of error codes. `docs/reference` is generated from it. */
export const API_ERRORS = {
  required: { status: 400, title: 'A required parameter or field is missing', retriable: false, hint: undefined },
  invalid_value: { status: 400, title: 'A parameter or field has an invalid value', retriable: false, hint: undefined },
  unauthorized: { status: 401, title: 'No valid API key or session', retriable: false, hint: undefined },
  forbidden: { status: 403, title: 'The role or scope does not allow the request', retriable: false, hint: undefined },
  other_host: {
    status: 403,
    title: 'The key belongs to another host',
    retriable: false,
    hint: 'The key of an enrolled host reports for this host alone. Enrol the host that reports, or set its host name to the enrolled one.',
  },
  quota_exceeded: {
    status: 403,
    title: 'A quota of the account is used up',
    retriable: false,
    hint: 'Follow the message, or ask an administrator for a larger quota. GET /api/user/quota shows what is used.',
  },
  request_required: {
    status: 403,
    title: 'Analysts request exceptions; an administrator decides',
    retriable: false,
    hint: 'Send the same body to POST /api/exception-requests.',
  },
  own_request: {
    status: 403,
    title: 'A request is decided by another person than its requester',
    retriable: false,
    hint: 'Ask another administrator.',
  },
  not_found: {
    status: 404,
    title: 'The resource does not exist, or the caller may not see it',
    retriable: false,
    hint: undefined,
  },
  not_acceptable: {
    status: 406,
    title: 'No format of the Accept header is available',
    retriable: false,
    hint: undefined,
  },
  request_timeout: {
    status: 408,
    title: 'The body arrived too slowly',
    retriable: true,
    hint: 'Nothing was accepted. Send the whole body at once, over a new connection.',
  },
  conflict: {
    status: 409,
    title: 'The resource exists, or its state does not allow the request',
    retriable: false,
    hint: undefined,
  },
  precondition_failed: {
    status: 412,
    title: 'The resource changed since it was read',
    retriable: false,
    hint: 'Read it again, then send the change with its new ETag.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    retriable: false,
    hint: 'Send it in several smaller requests.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The route does not accept the content type',
    retriable: false,
    hint: undefined,
  },
  headers_too_large: { status: 431, title: 'The headers are too large', retriable: false, hint: undefined },
  rate_limited: {
    status: 429,
    title: 'A limit of requests was reached',
    retriable: true,
    hint: 'Nothing was done. Send the same request again after the seconds in Retry-After.',
  },
  internal: {
    status: 500,
    title: 'The server failed',
    retriable: true,
    hint: 'The log of the server has the cause under this request id.',
  },
  upstream_failed: {
    status: 502,
    title: 'A service behind this one failed',
    retriable: true,
    hint: 'The service behind this one did not answer as expected. Try again later.',
  },
  unavailable: {
    status: 503,
    title: 'A store or a service behind this one is unavailable',
    retriable: true,
    hint: 'A store, or a service behind this one, is unavailable. Try again later.',
  },
} as const satisfies Record<string, ApiErrorEntry>;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** The body of every response that is not 2xx. */
export const errorEnvelopeSchema = z.object({
  issues: z
    .array(
      z.object({
        field: z.string().describe('where: a parameter, a header, a path into the body, or <root>'),
        message: z.string(),
        code: z.string(),
        severity: z.enum(['error', 'warning']),
        line: z.int().optional().describe('in a text that was sent, from 1'),
        column: z.int().optional().describe('in that line, from 1'),
      }),
    )
    .min(1),
  requestId: z.string().describe('also the header x-request-id'),
  hint: z.string().optional(),
  docsUrl: z.string().optional(),
});

export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;
export type ApiIssue = ErrorEnvelope['issues'][number];
