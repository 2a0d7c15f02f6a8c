import multipart from '@fastify/multipart';
import { FileTooLarge } from '#api/executions/files/port.ts';
import { v1Scope } from '#api/executions/routes/v1-scope.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { ThreadsBusyError } from '#api/threads/bounded-threads.ts';

/** Limits of one request. */
export const UPLOAD_LIMITS = { fileBytes: 64 * 2 ** 20, files: 50, fieldBytes: 1024 * 1024, fields: 10 };

/**
 * Opens a scope for routes of agents. It parses forms with files, and converts errors to messages and statuses of
 * /api/v1.
 */
export function agentScope(app: ApiServer, routes: (scope: ApiServer) => void): void {
  void v1Scope(
    app,
    async (scope) => {
      const { fileBytes, files, fieldBytes, fields } = UPLOAD_LIMITS;
      await scope.register(multipart, {
        throwFileSizeLimit: true,
        limits: {
          fileSize: fileBytes,
          files,
          fieldSize: fieldBytes,
          fields,
          parts: files + fields,
          fieldNameSize: 512,
        },
      });
      routes(scope);
    },
    refusalOf,
  );
}

/** Converts errors of shared parts to messages about agents. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ThreadsBusyError)
    return apiError('rate_limited', 'too many values wait to be checked against schemas', undefined, {
      'retry-after': '5',
    });
  if (error instanceof FileTooLarge) return apiError('invalid_value', error.message);
  if ((error as { code?: string }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return apiError('invalid_value', 'must be application/json or multipart/form-data', 'content-type');
  return error;
}
