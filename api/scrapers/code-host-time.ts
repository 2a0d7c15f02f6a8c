import { z } from 'zod';

/** A time the code host tells, to the second, as all times of ours are told: with milliseconds. What is none is told as nothing. */
export const codeHostTime = z
  .string()
  .nullable()
  .default(null)
  .transform((text) => {
    const at = new Date(text ?? Number.NaN);
    return Number.isNaN(at.getTime()) ? null : at.toISOString();
  });
