import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ApiErrorCode } from '#schemas/api/error-envelope.ts';
import { ApiError, apiError, envelopeOf } from '../http/api-error.ts';
import { wantsPage } from '../http/wants-page.ts';
import { HasherBusy } from '../platform/passwords/hasher.ts';
import { exceededQuota, quotaMessage } from '../store/tables/quotas.ts';

export interface ErrorOptions {
  /** True for errors that pass by themselves, such as a store that is away: 503 instead of 500. */
  readonly isTemporary: (error: unknown) => boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers browsers whose address leads nowhere; null where there are no pages. */
    notFoundPage: ((request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) | null;
  }
}

/** Fastify's own refusals, in the words of our catalogue. */
const FRAMEWORK_CODES: Readonly<Record<string, ApiErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'invalid_value',
};

/** Every answer that is not 2xx has the same envelope. What went wrong inside stays in the log. */
export const errors = fp<ErrorOptions>(
  async (app, { isTemporary }) => {
    app.setErrorHandler((error, request, reply) => {
      const told = refusalFor(error, isTemporary);
      if (told.statusCode >= 500 && told !== error) request.log.error({ err: error }, 'request failed');
      return sendRefusal(told, request, reply);
    });
    app.decorate('notFoundPage', null);
    app.setNotFoundHandler(async (request, reply) => {
      if (
        app.notFoundPage !== null &&
        request.method === 'GET' &&
        wantsPage(request) &&
        !request.url.startsWith('/api/')
      )
        return app.notFoundPage(request, reply.code(404));
      throw apiError('not_found', 'there is nothing at this address');
    });
  },
  { name: 'errors' },
);

/** Answers with the envelope of the error, in its status. */
export function sendRefusal(told: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A stream that fails before its first byte had announced another type, under which Fastify takes no object.
  const json = reply.code(told.statusCode).type('application/json; charset=utf-8');
  return json.headers(told.headers).send(envelopeOf(told, request.id));
}

/** What a client is told of an error. */
export function refusalFor(error: unknown, isTemporary: (error: unknown) => boolean): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode = 500, message } = error as Partial<FastifyError>;
  const known = FRAMEWORK_CODES[code ?? ''];
  if (known === 'unsupported_media_type') {
    return apiError(
      known,
      'this content type is not taken here: send application/json or application/x-ndjson',
      'content-type',
    );
  }
  if (known !== undefined) return apiError(known, message ?? known);
  if (statusCode >= 400 && statusCode < 500) return apiError('invalid_value', message ?? 'the request is malformed');
  if (error instanceof HasherBusy) {
    return apiError('rate_limited', 'too many passwords and keys are being checked right now', undefined, {
      'retry-after': String(error.retryAfterSeconds),
    });
  }
  const exceeded = exceededQuota(error);
  if (exceeded !== undefined) return apiError('quota_exceeded', quotaMessage(exceeded));
  if (isTemporary(error))
    return apiError('unavailable', 'the service is not available right now', undefined, { 'retry-after': '5' });
  return apiError('internal', 'something went wrong on our side');
}
