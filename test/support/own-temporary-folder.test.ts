import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from './wait-for.ts';

const module = new URL('./own-temporary-folder.ts', import.meta.url).href;

test('removes the temporary files of an interrupted process', async () => {
  const program = `import { mkdtemp } from 'node:fs/promises';
    import { tmpdir } from 'node:os';
    import path from 'node:path';
    import { useOwnTemporaryFolder } from '${module}';
    await useOwnTemporaryFolder('own');
    console.log(await mkdtemp(path.join(tmpdir(), 'file-')));
    setInterval(() => {}, 1e6);`;
  const runner = spawn(process.execPath, ['--input-type=module', '-e', program]);
  const folder = await new Promise<string>((resolve) =>
    runner.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  expect(existsSync(folder)).toBe(true);
  expect(path.basename(path.dirname(folder))).toMatch(/^trapline-own-/);
  runner.kill('SIGINT');
  await waitFor('the folder to go', () => !existsSync(path.dirname(folder)));
});
