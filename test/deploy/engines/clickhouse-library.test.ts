import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findPlaces } from '../../../bin/find-library-places.mjs';

const MODULE = new URL('../../../deploy/engines/clickhouse-library.mjs', import.meta.url).href;
const LIBRARY = createRequire(import.meta.url).resolve('@chdb/lib-linux-x64-gnu/libchdb.so');

/** Evaluates an expression in a child process, because the module opens libc with node:ffi. */
async function evaluated(expression: string): Promise<string> {
  const script = `const { PLACES, loadLibrary } = await import(${JSON.stringify(MODULE)}); console.log(${expression});`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    '--input-type=module',
    '-e',
    script,
  ]);
  return stdout.trim();
}

test('the patches match the installed library', async () => {
  const { inspect } = await import('node:util');
  expect(await evaluated(`(await import('node:util')).inspect(PLACES)`)).toBe(inspect(findPlaces(LIBRARY)));
});

test('rejects another build of the library with advice to update the patches', async () => {
  const load = `await Promise.try(() => { PLACES.buildId = 'f00d'; loadLibrary(${JSON.stringify(LIBRARY)}); }).catch((error) => error.message)`;
  expect(await evaluated(load)).toMatch(
    /^libchdb\.so is build [0-9a-f]{40}, but deploy\/engines\/clickhouse-library\.mjs was written for build f00d: run `node bin\/find-library-places\.mjs` and update it$/,
  );
});
