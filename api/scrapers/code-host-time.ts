import { z } from 'zod';

/** A time of the code host, which has seconds, in our format, which has milliseconds. An invalid time becomes null. */
export const codeHostTime = z
  .string()
  .nullable()
  .default(null)
  .transform((text) => {
    const at = new Date(text ?? Number.NaN);
    return Number.isNaN(at.getTime()) ? null : at.toISOString();
  });
