import { z } from 'zod';
import { queryIntegerOr } from './query-values.ts';

/** Query string schema of limit and offset, to combine with filters. */
export const PAGE_SHAPE = {
  limit: queryIntegerOr(50, { min: 1, max: 100 })
    .describe('How many at most, 1 to 100; default 50')
    .meta({ example: 50 }),
  offset: queryIntegerOr(0, { min: 0, max: 999_999_999 })
    .describe('How many to leave out from the beginning; default 0')
    .meta({ example: 0 }),
} as const;

/** Query string schema of limit and cursor, to combine with filters, for a list that is read forwards. */
export const CURSOR_PAGE = {
  limit: queryIntegerOr(100, { min: 1, max: 1_000 })
    .describe('How many at most, 1 to 1,000; default 100')
    .meta({ example: 100 }),
  cursor: z.string().min(1).max(2000).optional().describe('`nextCursor` of the page before'),
} as const;

/** Response of a list that is read by `limit` and `offset`. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe('This part of the list'),
    total: z.int().describe('How many there are in all that the filters choose'),
    limit: z.int().describe('As asked for'),
    offset: z.int().describe('As asked for'),
  });
}
