import { exceededLimit } from '#analytics/clickhouse/failure.ts';
import { CursorError } from '#analytics/clickhouse/read-models/cursor.ts';
import { apiError } from './api-error.ts';

const TOLD = { time: 'takes longer', rows: 'reads more rows', memory: 'needs more memory' } as const;

/** Says with a 400 that a cursor is none of the list, or that a query ran into a limit; throws everything else again. */
export function refuseQuery(error: unknown): never {
  if (error instanceof CursorError) throw apiError('invalid_value', error.message, 'cursor');
  const limit = exceededLimit(error);
  if (limit !== undefined)
    throw apiError(
      'invalid_value',
      `this query ${TOLD[limit]} than a query may: narrow it, by \`from\` and \`to\` best`,
    );
  throw error;
}
