import { queryInteger } from '#api/http/queries/query-values.ts';

const MAX_WAIT_SECONDS = 60;

/** Query parameter `wait_for_completion`: how long to hold the response until the execution has ended, in seconds. */
export const waitSeconds = queryInteger({ min: 0, max: MAX_WAIT_SECONDS })
  .optional()
  .describe('Seconds to wait for the end, at most 60; by default 0')
  .meta({ example: 30 });
