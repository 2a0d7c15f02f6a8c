// Runs vitest in the process bootstrap started, and tells bootstrap what came out.
import { parseCLI, startVitest } from 'vitest/node';
import { countTests } from './count-tests.mjs';

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const counter = {
  onTestRunEnd: (modules, unhandledErrors) => process.send?.(countTests(modules, unhandledErrors)),
};
const vitest = await startVitest('test', filter, { ...options, watch: false, reporters: ['default', counter] });
await vitest.close();
