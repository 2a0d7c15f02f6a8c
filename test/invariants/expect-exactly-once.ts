import { expect } from 'vitest';
import { problemsOf } from './exactly-once.ts';
import type { OracleResult } from './oracle.ts';

/** Fails unless each record is stored exactly once, and the detections are those of an undisturbed run. */
export function expectExactlyOnce(result: OracleResult): void {
  expect(problemsOf(result)).toEqual([]);
  // This number of records contains several attacks.
  expect(result.expectedDetections.length).toBeGreaterThan(5);
}
