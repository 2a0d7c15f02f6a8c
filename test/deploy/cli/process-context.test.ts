import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { MAIN } from '#test/support/trapline-process.ts';

test('reports a full disk under standard output in one line, without a stack', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [MAIN, 'rules', '--output', 'markdown'], { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  const [stderr, [code]] = await Promise.all([text(child.stderr as NodeJS.ReadableStream), once(child, 'exit')]);
  expect(stderr).toMatch(/^trapline: cannot write to standard output: ENOSPC.*\n$/);
  expect(code).toBe(1);
});

// Separate processes: in the process of a test, a server may have set the messages of all validation errors.
test.each([
  [
    ['keys', 'create', '--email', 'a@example.org', '--name', 'x', '--requests-per-minute', '100001'],
    '--requests-per-minute: must be at most 100000',
  ],
  [['detectors', 'token', '--minutes', 'x'], '--minutes: must be a number'],
  [['--port', '99999', 'config'], 'PORT: must be at most 65535 (got "99999")'],
])('rejects %j with a clear message', async (args, message) => {
  const run = promisify(execFile)(process.execPath, [MAIN, ...args]);
  await expect(run).rejects.toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});
