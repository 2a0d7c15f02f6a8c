import { z } from 'zod';

/** Codes of refused requests, each with the HTTP status it is answered with. */
export const API_ERRORS = {
  required: { status: 400, hint: undefined },
  invalid_value: { status: 400, hint: undefined },
  unauthorized: { status: 401, hint: undefined },
  forbidden: { status: 403, hint: undefined },
  quota_exceeded: {
    status: 403,
    hint: 'Delete what you do not need, or ask an administrator for more. GET /api/user/quota shows what is used.',
  },
  not_found: { status: 404, hint: undefined },
  request_timeout: { status: 408, hint: 'Nothing was taken. Send the whole body at once, over a new connection.' },
  conflict: { status: 409, hint: undefined },
  precondition_failed: { status: 412, hint: 'Read it again, then send the change with its new ETag.' },
  not_acceptable: { status: 406, hint: undefined },
  payload_too_large: { status: 413, hint: 'Send it in several smaller requests.' },
  unsupported_media_type: { status: 415, hint: undefined },
  headers_too_large: { status: 431, hint: undefined },
  rate_limited: {
    status: 429,
    hint: 'Nothing was done. Send the same again after the seconds that Retry-After names.',
  },
  internal: { status: 500, hint: 'The log has the cause under this request id.' },
  upstream_failed: { status: 502, hint: 'The service behind this one did not answer as it should. Try again later.' },
  unavailable: { status: 503, hint: 'A store, or a service behind this one, is away. Try again later.' },
} as const satisfies Record<string, { status: number; hint: string | undefined }>;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** The body of every answer that is not 2xx. */
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
