import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/services/temporary-folder.ts';

const MODULE = import.meta.resolve('#deploy/processes/run-until-stopped.ts');
const PROGRAM = `
  import { runUntilStopped } from ${JSON.stringify(MODULE)};
  const log = { debug() {}, info() {}, error() {}, fatal() {} };
  await runUntilStopped(log, async () => {
    process.send('running');
    setInterval(() => {}, 1000);
  });
`;

test('compiled code is kept before the process serves: one that is killed finds it the next time', () =>
  temporaryFolder('compiled', async (folder) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      env: { NODE_COMPILE_CACHE: folder },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [ofThisNode = ''] = await readdir(folder);
    // Its code, that of what it imports, and their stripped types.
    expect((await readdir(`${folder}/${ofThisNode}`)).length).toBeGreaterThan(2);
  }));
