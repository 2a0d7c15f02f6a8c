import { z } from 'zod';

/** Converts a time of the code host, which has seconds, to our format with milliseconds. An invalid time becomes null. */
export const codeHostTime = z
  .string()
  .nullable()
  .default(null)
  .transform((text) => {
    const at = new Date(text ?? Number.NaN);
    return Number.isNaN(at.getTime()) ? null : at.toISOString();
  });
