import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/services/temporary-folder.ts';

const FOLDER = fileURLToPath(new URL('../../../analytics/event-decoder/', import.meta.url));
const COMPILER = createRequire(import.meta.url)
  .resolve('assemblyscript/package.json')
  .replace('package.json', 'bin/asc.js');

test('the module is what the compiler makes from its source', async () => {
  await temporaryFolder('module', async (folder) => {
    const file = path.join(folder, 'decoder.wasm');
    const cwd = path.join(FOLDER, 'module');
    await promisify(execFile)(process.execPath, [COMPILER, 'decode.ts', '--outFile', file], { cwd });
    const [compiled, committed] = await Promise.all([readFile(file), readFile(path.join(FOLDER, 'decoder.wasm'))]);
    expect(compiled.equals(committed)).toBe(true);
  });
});
