/** What the tests of the present file have begun, the last first. */
let ends: (() => unknown)[] = [];

/**
 * Has something ended when the tests of the file are through, after what was begun later. From anywhere: Vitest's own `afterAll` is
 * heard at the top of a file and of a `describe` block, and silently not in hooks and tests.
 */
export function atEnd(end: () => unknown): void {
  ends.unshift(end);
}

/** Ends all of it, also after one that fails. */
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
