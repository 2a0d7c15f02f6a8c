import { checkAll, verdictOf } from './check.mjs';
import { runPinned } from './child.mjs';
import { makeMemoryFolder } from './memory-folder.mjs';

/**
 * `npm test`: runs the checks of `npm run check`, each counted as one test, and all tests. With arguments (`npm test --
 * test/api`, `npm test -- --changed`), runs only the selected tests. The last line is `N passed, N failed`, and `, N
 * skipped` if any were skipped.
 */
export async function runTests(args) {
  // Runs concurrently, because tests leave processors idle while they wait.
  return run(args, args.length === 0 ? checkAll() : undefined);
}

/** `npm run test:unit`: runs the tests that need no services, processes, browsers, or threads for programs of users. */
export function runUnitTests(args) {
  return run(['--unit', ...args], undefined);
}

/**
 * `npm run test:long`: runs the files named `….long.test.ts`: several stores of a kind, full disks, many killed
 * processes.
 */
export function runLongTests(args) {
  return run(['--long', ...args], undefined);
}

/**
 * `npm run test:watch`: runs the tests that each change affects, until it is interrupted. At start and after each run,
 * prints which tests are left out.
 */
export function watchTests(args) {
  process.stdout.write(`Watching: each change runs the test files that it affects. ${leftOut()}\n`);
  return runPinned(['bin/run/vitest.mjs', '--watch', ...args], {
    onMessage: (counts) => process.stdout.write(`${leftOut(counts)}\n`),
  });
}

/** Exit code of `vitest.mjs` for paths without tests. */
const WRONG_USAGE = 2;

/** `checks`: the results of the checks, which may still be running; undefined if they are left out. */
async function run(args, checks) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let reported = false;
  const folder = process.env.TMPDIR === undefined ? makeMemoryFolder() : undefined;
  const code = await runPinned(['bin/run/vitest.mjs', ...args], {
    env: folder === undefined ? {} : { TMPDIR: folder.path },
    onMessage: (message) => {
      reported = true;
      Object.assign(counts, message);
    },
  }).finally(() => folder?.remove());
  if (code === WRONG_USAGE && !reported) {
    process.stdout.write(`${lastLine({ ...counts, failed: 1 })}\n`);
    return WRONG_USAGE;
  }
  if (checks !== undefined) {
    const results = await checks;
    process.stdout.write(`Checks: ${verdictOf(results)}\n`);
    counts.passed += Object.values(results).filter((fine) => fine).length;
    counts.failed += Object.values(results).filter((fine) => !fine).length;
  }
  // A run that was aborted, or failed for another reason than a test, must count as failed.
  if (!reported && code === 0 && args.includes('--changed')) process.stdout.write('No test is affected.\n');
  else if (!reported || (code !== 0 && counts.failed === 0)) counts.failed += 1;
  process.stdout.write(`${checks === undefined ? leftOut(counts) : LONG_LEFT_OUT}\n`);
  process.stdout.write(`${lastLine(counts)}\n`);
  return counts.failed === 0 ? 0 : 1;
}

const LONG_LEFT_OUT = 'Left out: the long tests, which `npm run test:long` runs.';

/**
 * Describes the tests that were left out. `files` of `allFiles` were run; if omitted, the numbers are unknown.
 * @param {{ files?: number, allFiles?: number }} [counts]
 */
export function leftOut({ files = 0, allFiles } = {}) {
  const tests = allFiles === undefined ? 'the other test files' : `${allFiles - files} of ${allFiles} test files`;
  return `Left out: ${tests}, and the checks of \`npm run check\`.`;
}

export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
