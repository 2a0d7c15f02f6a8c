import { z } from 'zod';

/** RFC 3339 knows no later one. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A time in the future: RFC 3339, and valid in UTC too. */
export const timeToComeSchema = z.iso
  .datetime({ offset: true })
  .refine((text) => !(Date.parse(text) > LAST_TIME), 'a year of four digits is expected, in UTC too');
