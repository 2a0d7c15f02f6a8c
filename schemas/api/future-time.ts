import { z } from 'zod';

/** The last time that RFC 3339 can express. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A time in the future. It must be valid in RFC 3339, also after conversion to UTC. */
export const futureTimeSchema = z.iso
  .datetime({ offset: true })
  .refine((text) => !(Date.parse(text) > LAST_TIME), 'must be a year of four digits, in UTC too');
