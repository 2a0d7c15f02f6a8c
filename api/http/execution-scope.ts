import multipart from '@fastify/multipart';
import { AgentRefusal } from '../executions/agents/agent-refusal.ts';
import { FileTooLarge } from '../executions/files/port.ts';
import { ApiError, apiError } from './api-error.ts';
import type { ApiServer } from './api-server.ts';

/** Clients of /api/v1 have a type for these refusals, and for none else. */
const KNOWN = new Set([400, 401, 403, 404, 429]);

/** Of one request. */
export const UPLOAD_LIMITS = { fileBytes: 64 * 2 ** 20, files: 50, fieldBytes: 1024 * 1024, fields: 10 };

/**
 * A scope for routes under /api/v1: it reads forms with files, and answers in the statuses that clients there know; what is a 413 or 415 elsewhere
 * is a 400 here.
 */
export function executionScope(app: ApiServer, routes: (scope: ApiServer) => void): void {
  app.register(async (scope) => {
    const { fileBytes, files, fieldBytes, fields } = UPLOAD_LIMITS;
    await scope.register(multipart, {
      throwFileSizeLimit: true,
      limits: { fileSize: fileBytes, files, fieldSize: fieldBytes, fields, parts: files + fields, fieldNameSize: 512 },
    });
    scope.setErrorHandler((error) => {
      throw refusalOf(error);
    });
    routes(scope);
  });
}

function refusalOf(error: unknown): unknown {
  if (error instanceof AgentRefusal) return apiError(error.code, error.message, error.field);
  if (error instanceof FileTooLarge) return apiError('invalid_value', error.message);
  if (error instanceof ApiError) {
    if (KNOWN.has(error.statusCode) || error.statusCode >= 500) return error;
    const issues = error.issues.map((issue) => ({ ...issue, code: 'invalid_value' }));
    return new ApiError('invalid_value', issues, error.headers);
  }
  const { statusCode = 500, code, message } = error as { statusCode?: number; code?: string; message?: string };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return apiError('invalid_value', 'application/json or multipart/form-data is expected', 'content-type');
  if (statusCode >= 400 && statusCode < 500) return apiError('invalid_value', message ?? 'the request is malformed');
  return error;
}
