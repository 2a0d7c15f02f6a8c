import { z } from 'zod';
import { parseMoment } from './moment.ts';

/** A bound of a list in a query string; see `parseMoment`. */
export const momentQuery = (bound: 'lower' | 'upper') =>
  z.string().transform((text, context) => {
    const at = parseMoment(text, bound, Date.now());
    if (at !== undefined) return at;
    context.addIssue({ code: 'custom', message: 'ISO 8601 is expected, or an expression such as now()-7d' });
    return z.NEVER;
  });

/** For the key of a total: bounds that are relative to now are others with every request, and a total is the same for a minute. */
export const minuteOf = (date: Date | undefined): number | undefined => date && Math.floor(date.getTime() / 60_000);
