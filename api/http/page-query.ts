import { z } from 'zod';
import { queryIntegerOr } from './query-values.ts';

/** Limit and offset of a list; for query strings, next to the filters. */
export const PAGE_SHAPE = {
  limit: queryIntegerOr(50, { min: 1, max: 100 })
    .describe('How many at most, 1 to 100; default 50')
    .meta({ example: 50 }),
  offset: queryIntegerOr(0, { min: 0, max: 999_999_999 })
    .describe('How many to leave out from the beginning; default 0')
    .meta({ example: 0 }),
} as const;

/** The answer of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe('This part of the list'),
    total: z.int().describe('How many there are in all that the filters choose'),
    limit: z.int().describe('As asked for'),
    offset: z.int().describe('As asked for'),
  });
}
