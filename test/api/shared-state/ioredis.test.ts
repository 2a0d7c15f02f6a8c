import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Prints whether string methods are fast after a module was loaded. */
const afterLoading = (module: string) =>
  promisify(execFile)(process.execPath, [
    '--no-warnings',
    '--allow-natives-syntax',
    '--input-type=module',
    '--eval',
    `await import('${module}'); console.log(%HasFastProperties(String.prototype)); process.exit();`,
  ]).then(({ stdout }) => stdout.trim());

test('the library makes methods of strings slow', async () => {
  expect(await afterLoading('ioredis')).toBe('false');
});

test('they stay fast in a process with all parts of the product', async () => {
  expect(await afterLoading('#deploy/processes/start.ts')).toBe('true');
});
