import { z } from 'zod';
import { queryIntegerOr } from './query-values.ts';

/** Query string schema of limit and offset, to combine with filters. */
export const PAGE_SHAPE = {
  limit: queryIntegerOr(50, { min: 1, max: 100 })
    .describe('Maximum number of results, 1 to 100; default 50')
    .meta({ example: 50 }),
  offset: queryIntegerOr(0, { min: 0, max: 999_999_999 })
    .describe('Number of results to skip; default 0')
    .meta({ example: 0 }),
} as const;

/** Query string schema of limit and cursor, to combine with filters, for a list that is read forwards. */
export const CURSOR_PAGE = {
  limit: queryIntegerOr(100, { min: 1, max: 1_000 })
    .describe('Maximum number of results, 1 to 1,000; default 100')
    .meta({ example: 100 }),
  cursor: z.string().min(1).max(2000).optional().describe('`nextCursor` of the previous page'),
} as const;

/** Response of a list that is read by `limit` and `offset`. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe('The requested page'),
    total: z.int().describe('Total number of matches'),
    limit: z.int().describe('As requested'),
    offset: z.int().describe('As requested'),
  });
}
