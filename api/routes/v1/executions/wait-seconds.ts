import { z } from 'zod';

const MAX_WAIT_SECONDS = 60;

/** Query parameter `wait_for_completion`: for how long the answer is held until the execution has ended. */
export const waitSeconds = z
  .string()
  .regex(/^\d{1,4}$/, 'a whole number of seconds is expected')
  .transform(Number)
  .pipe(z.number().max(MAX_WAIT_SECONDS, `at most ${MAX_WAIT_SECONDS} seconds`))
  .optional()
  .describe('Seconds to wait for the end, at most 60; by default 0')
  .meta({ example: '30' });
