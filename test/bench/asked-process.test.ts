import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { ask, startAsked } from './asked-process.ts';
import type { LimitsAnswer } from './limits-process.ts';

function start() {
  const child = startAsked(fileURLToPath(new URL('limits-process.ts', import.meta.url)));
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('a process answers task by task, and ends with its parent', async () => {
  const child = start();
  const task = { task: 'memory', requests: 100, addresses: 10 };
  for (let turn = 0; turn < 2; turn += 1) expect((await ask<LimitsAnswer>(child, task)).answer).toBe('memory');
  const ended = once(child, 'exit');
  child.disconnect();
  expect(await ended).toEqual([0, null]);
});

test('a question is rejected when the process ends', async () => {
  const child = start();
  const asked = ask(child, { task: 'memory', requests: 10_000_000, addresses: 10 });
  child.kill('SIGKILL');
  await expect(asked).rejects.toThrow('ended');
});
