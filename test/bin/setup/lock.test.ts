import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { alone } from '../../../bin/setup/lock.mjs';
import { SetupError } from '../../../bin/setup/log.mjs';

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), 'trapline-lock-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

test('two set-ups of one checkout run one after the other', async () => {
  const root = folder();
  const log: string[] = [];
  const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = alone(async () => {
    log.push('first in');
    entered.resolve();
    await gate.promise;
    log.push('first out');
  }, root);
  await entered.promise;
  const second = alone(async () => void log.push('second'), root);
  gate.resolve();
  await Promise.all([first, second]);
  expect(log).toEqual(['first in', 'first out', 'second']);
});

test('the lock of a killed process is free, even if another process has its process id', async () => {
  const root = folder();
  const module = new URL('../../../bin/setup/lock.mjs', import.meta.url).href;
  const program = `import { alone } from '${module}'; await alone(() => new Promise(() => console.log('in') ?? setInterval(() => {}, 1e6)), '${root}');`;
  const killed = spawn('node', ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(killed.stdout, 'data');
  const waiting = alone(async () => 'done', root);
  killed.kill('SIGKILL');
  expect(await waiting).toBe('done');
});

test('reports a folder without write permission with advice', async () => {
  const root = folder();
  writeFileSync(join(root, 'file'), '');
  const refused = alone(async () => 'done', join(root, 'file/folder'));
  await expect(refused).rejects.toThrow(SetupError);
  await expect(refused).rejects.toThrow(/cannot be made \(ENOTDIR\): run .* as the owner of the checkout/);
});

test('releases the lock after a failure', async () => {
  const root = folder();
  await expect(alone(() => Promise.reject(new Error('no')), root)).rejects.toThrow('no');
  expect(await alone(async () => 'done', root)).toBe('done');
});
