import type { WorkerLogger } from './port.ts';

/** Runs a query. Resolves to undefined if it fails. */
export type Attempt = <T>(query: () => Promise<T>) => Promise<T | undefined>;

/** Creates an `Attempt` that logs the first failure of a series, and the first success after it. */
export function createAttempt(logger: WorkerLogger, work: string): Attempt {
  let failing = false;
  return async (query) => {
    try {
      const result = await query();
      if (failing) logger.info({ work }, 'worker queries succeed again');
      failing = false;
      return result;
    } catch (error) {
      if (!failing) logger.error({ err: error, work }, 'worker queries fail');
      failing = true;
      return undefined;
    }
  };
}
