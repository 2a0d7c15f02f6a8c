import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { alone } from '../../../bin/setup/lock.mjs';

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), 'trapline-lock-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

test('two set-ups of one checkout come one after the other', async () => {
  const root = folder();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = alone(async () => {
    log.push('first in');
    await gate.promise;
    log.push('first out');
  }, root);
  const second = alone(async () => void log.push('second'), root);
  gate.resolve();
  await Promise.all([first, second]);
  expect(log).toEqual(['first in', 'first out', 'second']);
});

test('the lock of a process that was killed is taken over', async () => {
  const root = folder();
  mkdirSync(join(root, '.trapline'));
  writeFileSync(join(root, '.trapline/set-up.pid'), '4194304'); // above the highest process id of Linux
  expect(await alone(async () => 'done', root)).toBe('done');
});

test('a failure gives the lock back', async () => {
  const root = folder();
  await expect(alone(() => Promise.reject(new Error('no')), root)).rejects.toThrow('no');
  expect(await alone(async () => 'done', root)).toBe('done');
});
