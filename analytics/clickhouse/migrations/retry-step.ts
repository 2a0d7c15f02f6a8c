import { setTimeout as delay } from 'node:timers/promises';
import { ClickHouseFailure } from '../failure.ts';

/**
 * Errors caused by two processes that create the same object concurrently: TABLE_ALREADY_EXISTS,
 * DATABASE_ALREADY_EXISTS, metadata races, and, on replicas, a database that does not exist there yet.
 */
const COINCIDENCE = new Set(['57', '82', '517', '60', '81', '253', '529', '1000', '1001']);

/**
 * Retries a step until it succeeds, while its failures are temporary or caused by another process that runs the same
 * step.
 */
export async function retryStep(run: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const passing = error instanceof ClickHouseFailure && (COINCIDENCE.has(error.code) || error.temporary);
      if (!passing || attempt === 10) throw error;
      await delay(50 * attempt);
    }
  }
}
