import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ApiErrorCode } from '#schemas/api/error-envelope.ts';
import { ApiError, apiError, envelopeOf } from '../api-error.ts';
import { wantsPage } from '../wants-page.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Sends the not-found page of the console to a browser. Undefined if the console is not served. */
    notFoundPage: ((reply: FastifyReply) => Promise<FastifyReply>) | undefined;
  }
}

export interface ErrorOptions {
  /** True for temporary errors, such as an unavailable store. They get 503 instead of 500. */
  readonly isTemporary: (error: unknown) => boolean;
  /** Maps an error of a subject to a refusal. Undefined for an unknown error. */
  readonly refusalOf: (error: unknown) => ApiError | undefined;
}

/** Fastify's error codes, mapped to codes of our catalogue. */
const FRAMEWORK_CODES: Readonly<Record<string, ApiErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'invalid_value',
};

/** Messages for refusals of the framework. Its own messages address developers of the server. */
const FRAMEWORK_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'the path of the request is not valid percent-encoding',
  FST_ERR_CTP_BODY_TOO_LARGE: 'the body is too large for this route',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'the body is empty: send JSON, or leave the Content-Type header out',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body has another length than the Content-Length header',
  FST_ERR_CTP_INVALID_JSON_BODY: 'the body is not valid JSON',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'must be multipart/form-data',
  FST_REQ_FILE_TOO_LARGE: 'a file of the form is too large',
  FST_FILES_LIMIT: 'the form has too many files',
  FST_FIELDS_LIMIT: 'the form has too many fields',
  FST_PARTS_LIMIT: 'the form has too many parts',
  FST_PROTO_VIOLATION: 'a field of the form has a name that is not allowed',
};

/** Sends every response that is not 2xx with the same envelope. Details of internal errors appear only in the log. */
export const errors = fp<ErrorOptions>(
  async (app, options) => {
    app.setErrorHandler((error, request, reply) => {
      const refusal = refusalFor(error, options);
      if (refusal.statusCode >= 500 && refusal !== error) request.log.error({ err: error }, 'request failed');
      return sendRefusal(refusal, request, reply);
    });
    app.decorate('notFoundPage', undefined);
    app.setNotFoundHandler(async (request, reply) => {
      if (app.notFoundPage !== undefined && opensPage(request)) return app.notFoundPage(reply);
      throw apiError('not_found', `no route matches ${request.method} ${pathOf(request.url)}`);
    });
  },
  { name: 'errors' },
);

/** A browser opened a path outside the API. */
function opensPage(request: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(request.method) && !/^\/api(?:\/|$)/.test(pathOf(request.url)) && wantsPage(request);
}

function pathOf(url: string): string {
  return /^[^?#]*/.exec(url)?.[0] ?? url;
}

/** Responds with the envelope and the status of the error. */
export function sendRefusal(refusal: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A stream that fails before its first byte has already set a content type and an encoding.
  reply.removeHeader('content-encoding');
  const json = reply.code(refusal.statusCode).type('application/json; charset=utf-8');
  return json.headers(refusal.headers).send(envelopeOf(refusal, request.id));
}

/** Returns the error that the client receives for an internal error. */
export function refusalFor(error: unknown, { isTemporary, refusalOf }: ErrorOptions): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode = 500, message } = error as Partial<FastifyError>;
  const known = FRAMEWORK_CODES[code ?? ''];
  if (known === 'unsupported_media_type') {
    return apiError(
      known,
      'this content type is not accepted here: send application/json or application/x-ndjson',
      'content-type',
    );
  }
  const text = FRAMEWORK_MESSAGES[code ?? ''] ?? message ?? 'the request is malformed';
  if (known !== undefined) return apiError(known, text);
  if (statusCode >= 400 && statusCode < 500) return apiError('invalid_value', text);
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refusal;
  if (isTemporary(error))
    return apiError('unavailable', 'the service is not available right now', undefined, { 'retry-after': '5' });
  return apiError('internal', 'the server failed to process the request');
}
