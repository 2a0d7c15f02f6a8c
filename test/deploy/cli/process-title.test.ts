import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAIN } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';

test('the process title is the command, in lists of processes and in the kernel', async () => {
  const child = spawn(process.execPath, [MAIN, '--data-dir', '/nowhere', 'validate', '-'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const named = (file: string, text: string) =>
    waitFor(
      `${text} in ${file}`,
      async () => readFileSync(`/proc/${child.pid}/${file}`, 'utf8').startsWith(text) || undefined,
    );
  try {
    await named('cmdline', 'trapline-validate\0');
    // The kernel truncates `comm` to 15 characters.
    await named('comm', 'trapline-valida\n');
  } finally {
    child.stdin.end();
    await once(child, 'exit');
  }
  expect(child.exitCode).toBe(0);
});
