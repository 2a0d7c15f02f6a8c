import type { WorkerLogger } from './port.ts';

/** Runs a query; resolves to undefined when it fails. */
export type Attempt = <T>(query: () => Promise<T>) => Promise<T | undefined>;

/** Logs the first failure of a series, and the first success after it. */
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
