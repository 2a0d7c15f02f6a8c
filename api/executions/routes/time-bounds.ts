import { apiError } from '#api/http/api-error.ts';
import { momentQuery } from '#api/http/queries/moment-query.ts';

/**
 * Query parameters `from` and `to` of lists of executions, with the same names and meaning as in all lists of the API.
 */
export const TIME_BOUNDS = {
  from: momentQuery('lower')
    .optional()
    .describe('Created then or later: ISO 8601, or relative as now()-7d (s, m, h, d, w)')
    .meta({ example: 'now()-7d' }),
  to: momentQuery('lower').optional().describe('Created before then').meta({ example: 'now()-1h' }),
} as const;

/** Older names of the bounds, with their values. Both bounds are inclusive. */
export interface OlderBounds {
  readonly names: readonly [from: string, to: string];
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** Returns the bounds of a query, both inclusive. Throws a 400 if a bound is given under both of its names. */
export function boundsOf(
  query: { readonly from?: Date | undefined; readonly to?: Date | undefined },
  older: OlderBounds,
) {
  const [fromName, toName] = older.names;
  if (query.from !== undefined && older.from !== undefined) throw twice('from', fromName);
  if (query.to !== undefined && older.to !== undefined) throw twice('to', toName);
  return { from: query.from ?? older.from, to: (query.to && justBefore(query.to)) ?? older.to };
}

/** Times of executions are stored in milliseconds. */
function justBefore(at: Date): Date {
  return new Date(at.getTime() - 1);
}

function twice(name: string, older: string) {
  return apiError('invalid_value', `\`${name}\` and \`${older}\` are the same bound: use one of them`, older);
}
