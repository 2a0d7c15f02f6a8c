import type { FastifyError } from 'fastify';
import { ApiError, apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { SharedStateUnavailable } from '#api/shared-state/port.ts';

const AGAIN = { 'retry-after': '5' };
/** Statuses outside the contract of /api/v1. They are replaced with 400. */
const UNKNOWN_TO_CLIENTS = new Set([405, 406, 408, 409, 411, 412, 413, 414, 415, 416, 417, 422, 431]);

/**
 * Opens a scope for routes under /api/v1. Errors have only the statuses of the contract: 400, 401, 403, 404, 429 and
 * 5xx.
 */
export async function v1Scope(
  app: ApiServer,
  routes: (scope: ApiServer) => void | Promise<void>,
  /** Translates errors with specific messages for these routes. Returns all other errors unchanged. */
  translate: (error: unknown) => unknown = (error) => error,
): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request) => {
      const refusal = asV1(translate(error));
      if (refusal !== error && refusal instanceof ApiError && refusal.statusCode >= 500 && !(error instanceof ApiError))
        request.log.error({ err: error }, 'request failed');
      // The error handler of the server responds.
      throw refusal;
    });
    await routes(scope as ApiServer);
  });
}

/** Converts an error to the contract of /api/v1. */
export function asV1(error: unknown): unknown {
  const { statusCode = 500, code = '', message } = (error ?? {}) as Partial<FastifyError>;
  if (isDatabaseUnavailable(error) || error instanceof SharedStateUnavailable)
    return internalError(
      'unavailable',
      apiError('unavailable', 'the service is not available right now', undefined, AGAIN),
    );
  if (error instanceof ApiError) {
    if (error.statusCode >= 500) return internalError(error.code, error);
    if (!UNKNOWN_TO_CLIENTS.has(error.statusCode)) return error;
    const issues = error.issues.map((issue) => ({ ...issue, code: 'invalid_value' }));
    return new ApiError('invalid_value', issues, error.headers);
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return apiError('invalid_value', 'this content type is not accepted here: send application/json', 'content-type');
  return UNKNOWN_TO_CLIENTS.has(statusCode) ? apiError('invalid_value', message ?? 'the request is malformed') : error;
}

/** In /api/v1, all internal failures have one code, with any status. */
function internalError(code: ApiError['code'], error: ApiError): ApiError {
  return new ApiError(
    code,
    error.issues.map((issue) => ({ ...issue, code: 'internal' })),
    error.headers,
  );
}
