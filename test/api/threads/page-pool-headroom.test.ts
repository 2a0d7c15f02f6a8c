import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const HASHER = import.meta.resolve('#api/accounts/passwords/hasher.ts');

/** A program whose first thread starts right after large arrays, each of `mib`, became garbage. */
const program = (mib: number) => `
  import { setTimeout } from 'node:timers/promises';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { createHasher } from ${JSON.stringify(HASHER)};
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  function waste() {
    const arrays = [];
    for (let at = 0; at < 4; at += 1) arrays.push(new Array(${mib} * 2 ** 17).fill(at));
  }
  waste();
  collect();
  // A background thread releases the pages.
  await setTimeout(50);
  collect();
  const hasher = createHasher({ threads: 1, cost: 4 });
  console.log(await hasher.verify('secret', await hasher.hash('secret')));
  await hasher.close();
`;

test.each([17, 24, 31])('a thread with a small limit starts while pages of %i MiB can be borrowed', async (mib) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(mib)]);
  expect(stdout).toBe('true\n');
});
