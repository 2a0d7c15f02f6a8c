// Runs vitest in the process that bootstrap started, and sends the result to bootstrap.
import { parseCLI, startVitest } from 'vitest/node';
import { ROOT } from '../setup/paths.mjs';
import { countTests } from './count-tests.mjs';
import { divideTests } from './unit-tests.ts';
import { unmatchedPaths } from './unmatched-paths.mjs';

/**
 * `--unit`: only tests without services, processes and browsers. `--long`: only the long tests, which are otherwise
 * left out unless one is named. `--watch`: stays running, and reruns the tests that a change affects.
 */
const own = new Set(['--unit', '--long', '--watch']);
const given = process.argv.slice(2);
// Read by vitest.config.ts, which vitest loads in this process.
if (given.some((arg) => arg === '--long' || arg.includes('.long.'))) process.env.TEST_LONG = 'true';
const watch = given.includes('--watch');
if (watch) process.env.TEST_WATCH = 'true';
const { filter, options } = parseCLI(['vitest', 'run', ...given.filter((arg) => !own.has(arg))]);
// vitest would print the name of every test file.
const unmatched = unmatchedPaths(filter, { root: ROOT, long: process.env.TEST_LONG === 'true' });
if (unmatched.length > 0) {
  process.stderr.write(`No test file matches ${unmatched.join(', ')}\n`);
  process.exit(2);
}
const unit = given.includes('--unit') ? divideTests(ROOT).unit : [];

let all = 0;
const counter = {
  async onInit(vitest) {
    all = (await vitest.globTestSpecifications([])).length;
  },
  onTestRunEnd: (modules, unhandledErrors) =>
    process.send?.({ ...countTests(modules, unhandledErrors), files: modules.length, allFiles: all }),
};
const vitest = await startVitest('test', unit.length > 0 ? unit : filter, {
  ...options,
  watch,
  // In watch mode, the first run contains the tests that uncommitted changes affect.
  ...(watch && filter.length === 0 ? { changed: true } : {}),
  passWithNoTests: watch || options.changed !== undefined,
  reporters: ['default', counter],
});
if (watch) await new Promise((resolve) => vitest.onClose(resolve));
else await vitest.close();
