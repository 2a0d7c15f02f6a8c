import { z } from 'zod';
import { parseMoment } from './moment.ts';

/** Query string schema of a time bound of a list; see `parseMoment`. */
export const momentQuery = (bound: 'lower' | 'upper') =>
  z.string().transform((text, context) => {
    const at = parseMoment(text, bound, Date.now());
    if (at !== undefined) return at;
    context.addIssue({ code: 'custom', message: 'must be ISO 8601, or an expression such as now()-7d' });
    return z.NEVER;
  });

/**
 * Returns the cache key of a bound for totals. Bounds relative to now change with every request, but a total is cached
 * for a minute.
 */
export const minuteOf = (date: Date | undefined): number | undefined => date && Math.floor(date.getTime() / 60_000);
