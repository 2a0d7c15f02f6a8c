import { exceededLimit } from '#analytics/clickhouse/failure.ts';
import { CursorError } from '#analytics/clickhouse/read-models/cursor.ts';
import { apiError } from './api-error.ts';

const EXCEEDED = { time: 'takes longer', rows: 'reads more rows', memory: 'needs more memory' } as const;

/** The message for a query that the client can correct: a cursor of another list, or a query that ran into a limit. Undefined for any other failure. */
export function queryProblem(error: unknown): { readonly message: string; readonly field?: 'cursor' } | undefined {
  if (error instanceof CursorError) return { message: error.message, field: 'cursor' };
  const limit = exceededLimit(error);
  if (limit === undefined) return undefined;
  return { message: `this query ${EXCEEDED[limit]} than a query may: narrow it, best by \`from\` and \`to\`` };
}

/** Says with a 400 what is wrong with a query; throws everything else again. */
export function refuseQuery(error: unknown): never {
  const problem = queryProblem(error);
  throw problem === undefined ? error : apiError('invalid_value', problem.message, problem.field);
}
