import { setTimeout as delay } from 'node:timers/promises';
import { ClickHouseFailure } from '../failure.ts';

/** What two processes that make the same thing at the same instant get to see: TABLE_ALREADY_EXISTS, DATABASE_ALREADY_EXISTS, metadata races, and on
 * replicas a database that is not created there yet. */
const COINCIDENCE = new Set(['57', '82', '517', '60', '81', '253', '529', '1000', '1001']);

/** Runs a step until it succeeds, while its failures are temporary or come from another process that does the same. */
export async function again(run: () => Promise<void>): Promise<void> {
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
