import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { MAIN } from '#test/support/trapline-process.ts';

test('a full disk under standard output is reported in one line, without the stack of Node', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [MAIN, 'rules', '--output', 'markdown'], { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  const [stderr, [code]] = await Promise.all([text(child.stderr as NodeJS.ReadableStream), once(child, 'exit')]);
  expect(stderr).toMatch(/^trapline: cannot write to standard output: ENOSPC.*\n$/);
  expect(code).toBe(1);
});
