import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { lastLine, leftOut } from '../../bin/run/test.mjs';
import { ROOT } from '../../bin/setup/paths.mjs';

function run(command: string, args: string[], env: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', env, timeout: 110_000 });
  return { status, stdout, stderr };
}

test('a second set-up changes nothing and prints nothing', () => {
  expect(run('node', ['bin/bootstrap.mjs', 'set-up']).status).toBe(0);
  const second = run('node', ['bin/bootstrap.mjs', 'set-up']);
  expect(second).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test('an unknown command is wrong usage', () => {
  const { status, stdout, stderr } = run('node', ['bin/bootstrap.mjs', 'strat']);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('usage: node bin/bootstrap.mjs start|test|');
});

test.each(['soak', 'bench', 'lab'])('%s prints its help', (name) => {
  const { status, stdout, stderr } = run('node', ['bin/bootstrap.mjs', name, '--help']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(`npm run ${name} [-- `);
});

test('npm test reports a path without test files in one line', () => {
  const { status, stdout, stderr } = run('node', ['bin/bootstrap.mjs', 'test', 'test/nothing-here']);
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '0 passed, 1 failed\n',
    stderr: 'No test file matches test/nothing-here\n',
  });
});

test('soak rejects an unknown kind with the known ones', () => {
  const { status, stderr } = run('node', ['bin/bootstrap.mjs', 'soak', '--of', 'nothing']);
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('one of pipeline, executions,') });
});

test('the last line names skipped tests only when there are any', () => {
  expect(lastLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
  expect(lastLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
});

test('a partial run prints the number of test files that it leaves out', () => {
  const checks = 'and the checks of `npm run check`.';
  expect(leftOut({ files: 3, allFiles: 10 })).toBe(`Left out: 7 of 10 test files, ${checks}`);
  expect(leftOut()).toBe(`Left out: the other test files, ${checks}`);
});

test('bin/trapline needs no other Node after set-up: the shell computes the same fingerprint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trapline-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const tool of ['sh', 'cat', 'cut', 'dirname', 'readlink', 'sha256sum']) {
    symlinkSync(run('sh', ['-c', `command -v ${tool}`]).stdout.trim(), join(folder, tool));
  }
  const { status, stdout, stderr } = run('/bin/sh', ['bin/trapline', '--help'], { PATH: folder });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('Usage: trapline');
});

test('npx finds the command of the checkout', () => {
  const { status, stdout } = run('npx', ['--no', 'trapline', 'config', '--output', 'json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toContainEqual({ name: 'PORT', value: 8080, origin: 'default' });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'npx passes %s on to the command, and returns its exit code',
  async (signal) => {
    const npx = spawn('npx', ['--no', 'trapline', 'detect', '--from', '-', '--to', 'stdout'], { cwd: ROOT });
    onTestFinished(() => void npx.kill('SIGKILL'));
    npx.stdin.write(readFileSync(join(ROOT, 'test/fixtures/kmsg/assorted-faults.kmsg')));
    await firstLine(npx.stdout); // the command runs and waits for more input
    npx.kill(signal);
    const [code] = await once(npx, 'exit');
    expect(code).toBe(0);
    npx.stdin.destroy();
    await text(npx.stdout); // ends when no process started by npx has it open
  },
);

/** Runs a script with `runPinned`, as bootstrap does. The script prints its process id and waits. */
function runWaiting(script: string) {
  const parent = spawn(
    'node',
    [
      '--input-type=module',
      '-e',
      `import { runPinned } from ${JSON.stringify(join(ROOT, 'bin/run/child.mjs'))};
       process.exitCode = await runPinned(['-e', ${JSON.stringify(script)}]);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void parent.kill('SIGKILL'));
  return parent;
}

async function firstLine(stream: Readable): Promise<string> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) return String(chunk).trim();
  return '';
}

/** Returns false for a zombie, which has ended and only waits for its parent to reap it. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] !== 'Z';
  } catch {
    return false;
  }
}

test('forwards each signal once, and returns the exit code', async () => {
  const parent = runWaiting(
    "let n = 0; process.on('SIGTERM', () => { n += 1; setTimeout(() => process.exit(40 + n), 50); }); setInterval(() => {}, 1e6); console.log('up')",
  );
  await firstLine(parent.stdout);
  parent.kill('SIGTERM');
  parent.kill('SIGTERM');
  const [code] = await new Promise<[number | null]>((resolve) => parent.once('exit', (exit) => resolve([exit])));
  expect(code).toBe(41);
});

test('bootstrap’s child and its children end when bootstrap is killed', async () => {
  const parent = runWaiting(
    "const c = require('child_process').spawn('sleep', ['1000']); setInterval(() => {}, 1e6); console.log(process.pid + ' ' + c.pid)",
  );
  const pids = (await firstLine(parent.stdout)).split(' ').map(Number);
  expect(pids.every(isAlive)).toBe(true);
  parent.kill('SIGKILL');
  await text(parent.stdout); // ends when the last of the processes has ended
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
});
