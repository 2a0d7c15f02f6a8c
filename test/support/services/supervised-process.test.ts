import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../wait-for.ts';
import { supervise } from './supervised-process.ts';

const module = new URL('./supervised-process.ts', import.meta.url).href;

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a service and its folder are removed after the runner is killed with SIGKILL', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trapline-supervised-'));
  const service = `supervise({ command: 'sh', args: ['-c', 'echo $$; exec sleep 600'], logFile: '${folder}/log', removeAtEnd: '${folder}' })`;
  const runner = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { supervise } from '${module}';
     const service = ${service};
     let printed = false;
     setInterval(() => { const pid = service.output(); if (!printed && pid.endsWith('\\n')) { printed = true; process.stdout.write(pid); } }, 20);`,
  ]);
  const pid = Number(
    await new Promise((resolve) => runner.stdout.once('data', (text) => resolve(String(text).trim()))),
  );
  expect(alive(pid)).toBe(true);
  runner.kill('SIGKILL');
  await waitFor('the service to end', () => !alive(pid) && !existsSync(folder));
});

test('the folder of a service that ended is kept while the runner runs, and removed after it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trapline-supervised-'));
  const runner = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { supervise } from '${module}';
     const service = supervise({ command: 'sh', args: ['-c', 'echo done'], logFile: '${folder}/log', removeAtEnd: '${folder}' });
     setInterval(() => {}, 1e6);
     await service.exited;
     console.log(service.output());`,
  ]);
  expect(await new Promise((resolve) => runner.stdout.once('data', (text) => resolve(String(text).trim())))).toBe(
    'done',
  );
  expect(existsSync(folder)).toBe(true);
  runner.kill('SIGKILL');
  await waitFor('the folder to go', () => !existsSync(folder));
});

test('the files of a service are removed with it, also after a stop, and while a process still writes there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trapline-supervised-'));
  // The child has a separate session, as an engine has, and outlives the service for a moment.
  const writer = 'for n in $(seq 300); do mkdir -p data/$n; echo > data/$n/file; done';
  const service = supervise({
    command: 'sh',
    args: ['-c', `setsid sh -c '${writer}' & echo ready; exec sleep 600`],
    cwd: folder,
    logFile: join(folder, 'log'),
    removeAtEnd: folder,
  });
  await waitFor('its line', () => service.output().includes('ready'));
  await service.stop();
  expect(existsSync(folder)).toBe(true);
  await service.endAll();
  expect(existsSync(folder)).toBe(false);
});

test('kill9 resolves when the service has ended, with its output', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trapline-supervised-'));
  const logFile = join(folder, 'log');
  const service = supervise({
    command: 'sh',
    args: ['-c', 'echo ready; exec sleep 600'],
    logFile,
    removeAtEnd: folder,
  });
  await waitFor('its line', () => service.output().includes('ready'));
  await service.kill9();
  expect(service.running).toBe(false);
  expect(await service.exited).toBe(137);
  rmSync(folder, { recursive: true });
});

test('returns the exit code of a service that ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trapline-supervised-'));
  const service = supervise({
    command: 'sh',
    args: ['-c', 'exit 3'],
    logFile: join(folder, 'log'),
    removeAtEnd: folder,
  });
  expect(await service.exited).toBe(3);
  await service.stop();
  rmSync(folder, { recursive: true });
});
