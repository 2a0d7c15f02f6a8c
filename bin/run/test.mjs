import { checkAll } from './check.mjs';
import { runPinned } from './child.mjs';

/**
 * `npm test`: types, lint with import arrows, dependencies, and every test; each of the first three counts as one test. With arguments
 * (`npm test -- test/api`) only the tests they name. The last line is `N passed, N failed`, and `, N skipped` if any were.
 */
export async function runTests(args) {
  const checks = args.length === 0 ? Object.values(await checkAll()) : [];
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let reported = false;
  const code = await runPinned(['bin/run/vitest.mjs', ...args], {
    onMessage: (message) => {
      reported = true;
      Object.assign(counts, message);
    },
  });
  counts.passed += checks.filter((fine) => fine).length;
  counts.failed += checks.filter((fine) => !fine).length;
  // A run that broke off, or failed for another reason than a test, must not look green.
  if (!reported || (code !== 0 && counts.failed === 0)) counts.failed += 1;
  process.stdout.write(`${lastLine(counts)}\n`);
  return counts.failed === 0 ? 0 : 1;
}

export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
