import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { Audit } from '#api/audit/port.ts';
import type { Contents } from '#api/executions/files/contents.ts';
import { apiError } from '#api/http/api-error.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { changedSinceRead } from '#api/http/responses/if-match.ts';
import type { Database } from '#api/postgres/database.ts';
import { CaseRefused } from '../case-refused.ts';
import type { Cases } from '../cases.ts';
import type { Comments } from '../comments/comments.ts';

export interface CaseRoutesDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly audit: Audit;
  readonly cases: Cases;
  readonly comments: Comments;
  readonly contents: Contents;
  /** Returns the public URL of the server, without a trailing slash. */
  readonly publicUrl: () => string;
}

export const READ = { access: { by: 'key-or-session', scope: 'cases:read' } } as const;
export const WRITE = { access: { by: 'key-or-session', scope: 'cases:write' } } as const;
export const CASE_TAGS = ['cases'];
export const READ_ERRORS = errorResponses(400, 401, 403, 404, 429, 503);
export const WRITE_ERRORS = errorResponses(400, 401, 403, 404, 413, 415, 429, 503);

export function noSuchCase() {
  return apiError('not_found', 'there is no case with this id');
}

/** Throws the API error for a `CaseRefused`. Rethrows any other error. */
export function refuse(error: unknown): never {
  if (!(error instanceof CaseRefused)) throw error;
  const { reason } = error;
  switch (reason.code) {
    case 'changed_since_read':
      throw changedSinceRead();
    case 'not_found':
      throw apiError('not_found', `there is no such ${reason.what}`);
    case 'invalid':
      throw apiError('invalid_value', reason.problem, reason.field);
    case 'full':
      throw apiError('conflict', reason.problem);
  }
}
