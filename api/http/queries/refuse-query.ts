import { exceededLimit } from '#analytics/clickhouse/failure.ts';
import { CursorError } from '#analytics/clickhouse/read-models/cursor.ts';
import { apiError } from '../api-error.ts';

const EXCEEDED = { time: 'takes longer', rows: 'reads more rows', memory: 'needs more memory' } as const;

/**
 * Returns the message for a query that the client can correct: a cursor of another list, or a query over a limit.
 * Undefined for any other error.
 */
export function queryProblem(error: unknown): { readonly message: string; readonly field?: 'cursor' } | undefined {
  if (error instanceof CursorError) return { message: error.message, field: 'cursor' };
  const limit = exceededLimit(error);
  if (limit === undefined) return undefined;
  return { message: `this query ${EXCEEDED[limit]} than a query may: narrow it, best by \`from\` and \`to\`` };
}

/** Throws a 400 that describes an invalid query. Rethrows any other error. */
export function refuseQuery(error: unknown): never {
  const problem = queryProblem(error);
  throw problem === undefined ? error : apiError('invalid_value', problem.message, problem.field);
}
