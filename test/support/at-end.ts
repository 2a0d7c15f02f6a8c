/** Cleanups of the current test file, run in reverse order of registration. */
let ends: (() => unknown)[] = [];

/**
 * Registers a cleanup that runs after the tests of the file, before cleanups that were registered earlier. Works
 * anywhere: Vitest's `afterAll` works at the top of a file and in `describe` blocks only, and is silently ignored in
 * hooks and tests.
 */
export function atEnd(end: () => unknown): void {
  ends.unshift(end);
}

/** Runs all cleanups, even if one fails. Rejects with all failures. */
export async function endAll(): Promise<void> {
  const failures: unknown[] = [];
  const begun = ends;
  ends = [];
  for (const end of begun) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'what a test file had begun did not end');
}
