import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/services/temporary-folder.ts';

const MODULE = import.meta.resolve('#api/threads/thread-environment.ts');
/** Prints the environment that a thread sees. */
const PROGRAM = `
  import { once } from 'node:events';
  import { Worker } from 'node:worker_threads';
  import { threadEnvironment } from ${JSON.stringify(MODULE)};
  const text = 'import { parentPort } from "node:worker_threads"; parentPort.postMessage({ ...process.env });';
  const [seen] = await once(new Worker(text, { eval: true, env: threadEnvironment() }), 'message');
  console.log(JSON.stringify(seen));
`;

async function seenByThread(env: Record<string, string>) {
  const options = { env: { AUTH_SECRET: 'of the process alone', ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], options);
  return JSON.parse(stdout) as unknown;
}

test('a thread has only the location of compiled code in its environment', () =>
  temporaryFolder('compiled', async (folder) => {
    expect(await seenByThread({ NODE_COMPILE_CACHE: folder })).toEqual({ NODE_COMPILE_CACHE: folder });
    // One cache folder, of this Node version with these options, for the process and its threads.
    expect(await readdir(folder)).toHaveLength(1);
  }));

test('a thread has no environment without compiled code', async () => {
  expect(await seenByThread({})).toEqual({});
});
